"""Generated logs: the share of rows that pass each function of users' is drawn, independently."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.python import rows as user
from streamon_lab.bench.python.models import SIGNALS

SEED = 31
POOL = 10_000
"""Different texts of a column."""
CHUNK = 100_000
GROUP = 20_000
"""Rows of a row group: small, so that tasks have equal shares."""
HIGH = 3.0
"""Scores above it pass."""
PAYLOADS = 1_000

Text = Callable[[np.random.Generator], str]

COLUMNS = ("id", "severity", "body", "context", "features", "span", "lat", "lon", *SIGNALS, "payload")


def _body(rng: np.random.Generator) -> str:
    request = f"req={rng.integers(1 << 30):08x} host=app-{rng.integers(40)} shard={rng.integers(100)}"
    service = ("cart", "login", "search", "stock")[rng.integers(4)]
    what = "timed out after" if rng.random() < 0.5 else "answered after"
    return f"{request} upstream {service} {what} {rng.integers(10, 9_000)} ms, {rng.integers(4)} retries left"


def _context(rng: np.random.Generator) -> str:
    return json.dumps(
        {
            "user": {
                "id": int(rng.integers(1 << 30)),
                "plan": "free" if rng.random() < 0.5 else "team",
                "region": f"r{rng.integers(10)}",
            },
            "tags": [f"t{rng.integers(50)}" for _ in range(4)],
            "trace": f"{rng.integers(1 << 60):016x}",
        }
    )


def _features(rng: np.random.Generator) -> str:
    return ",".join(f"{value:.3f}" for value in rng.random(len(user.WEIGHTS)) * 5)


def _span(rng: np.random.Generator) -> str:
    begin = np.datetime64("2026-01-01T00:00:00", "us") + rng.integers(1 << 44)
    end = begin + rng.integers(2_000_000)
    return f"{str(begin)[:19]}/{str(end)[:19]}"


TEXTS: Mapping[str, tuple[Text, Callable[[str], bool]]] = {
    "body": (_body, user.is_timeout),
    "context": (_context, user.is_paid),
    "features": (_features, lambda text: user.score(text) > HIGH),
    "span": (_span, user.is_slow),
}
"""How the text of a column is drawn, and whether it passes."""


@cache
def _pool(column: str) -> tuple[pa.Array, pa.Array]:
    """Texts that pass and texts that do not."""
    draw, passes = TEXTS[column]
    rng = np.random.default_rng([SEED, *column.encode()])
    texts = [draw(rng) for _ in range(POOL)]
    return pa.array([t for t in texts if passes(t)]), pa.array([t for t in texts if not passes(t)])


@dataclass(frozen=True)
class Logs:
    """What logs there are: their rows, the share that passes by each text, and the bytes of a payload."""

    rows: int
    passing: Mapping[str, float]
    payload: int = 0

    def table(self, root: Path) -> Path:
        """The file of them under a folder, made if it is not there."""
        rates = "-".join(f"{self.passing[column]:g}" for column in TEXTS)
        name = f"logs-{self.rows}-{rates}-{self.payload}"
        return cached(root, name, self.generate) / "logs.parquet"

    def generate(self, folder: Path) -> None:
        """Writes `logs.parquet`."""
        rng = np.random.default_rng(SEED)
        types = [pa.int64(), pa.int32(), *[pa.string()] * 4, *[pa.float64()] * 6, pa.string()]
        schema = pa.schema(list(zip(COLUMNS, types, strict=True)))
        payloads = pa.array([rng.bytes(self.payload // 2).hex() for _ in range(PAYLOADS)])
        with pq.ParquetWriter(folder / "logs.parquet", schema, use_dictionary=False) as writer:
            for start in range(0, self.rows, CHUNK):
                writer.write_table(self._chunk(rng, start, payloads, schema), row_group_size=GROUP)

    def _chunk(self, rng: np.random.Generator, start: int, payloads: pa.Array, schema: pa.Schema) -> pa.Table:
        count = min(CHUNK, self.rows - start)
        drawn = {
            "id": start + np.arange(count),
            "severity": rng.integers(10, size=count, dtype=np.int32),
            **{column: self._texts(rng, column, count) for column in TEXTS},
            "lat": rng.uniform(30, 60, size=count),
            "lon": rng.uniform(-20, 40, size=count),
            **{signal: rng.random(count) for signal in SIGNALS},
            "payload": payloads.take(pa.array(rng.integers(PAYLOADS, size=count))),
        }
        return pa.table(drawn, schema=schema)

    def _texts(self, rng: np.random.Generator, column: str, count: int) -> pa.Array:
        passing, failing = _pool(column)
        index = np.where(
            rng.random(count) < self.passing[column],
            rng.integers(len(passing), size=count),
            len(passing) + rng.integers(len(failing), size=count),
        )
        return pa.concat_arrays([passing, failing]).take(pa.array(index))
