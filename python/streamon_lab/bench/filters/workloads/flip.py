"""Four regular expressions whose pass rates turn round half-way through the data.

There are two files, one a task; the turn is in the middle of each, so that no fixed order is right for
long and the row at which an oracle changes its order is known.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.filters.workloads import texts

NAMES = ("W4",)
COLUMNS = ("p", "q", "r", "s")
PASS_RATES = (0.05, 0.30, 0.70, 0.95)
SEED = 11
FILES = 2
CHUNK = 250_000


def _chunk(rng: np.random.Generator, pool: pa.Array, rows: int, rates: tuple[float, ...]) -> pa.Table:
    columns = {}
    for name, rate in zip(COLUMNS, rates, strict=True):
        columns[name] = texts.draw(rng, pool, rows, rate)
    return pa.table(columns)


def generate(folder: Path, rows: int) -> None:
    """Writes `whole/`, with the turn in the middle of each file, and its halves `before/` and `after/`."""
    rng = np.random.default_rng(SEED)
    pool = texts.pool(rng)
    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    for part in ("whole", "before", "after"):
        (folder / part).mkdir()
    for file in range(FILES):
        name = f"{file}.parquet"
        with pq.ParquetWriter(folder / "whole" / name, schema, use_dictionary=False) as whole:
            for part, rates in (("before", PASS_RATES), ("after", PASS_RATES[::-1])):
                with pq.ParquetWriter(folder / part / name, schema, use_dictionary=False) as half:
                    left = rows // FILES // 2
                    while left > 0:
                        table = _chunk(rng, pool, min(CHUNK, left), rates)
                        left -= len(table)
                        whole.write_table(table)
                        half.write_table(table)


CONF = {"spark.sql.files.maxPartitionBytes": "1g"}
"""One task for each file."""


def table(root: Path, rows: int) -> Path:
    """The folder of the data under another, made if it is not there."""
    return cached(root, f"flip-{rows}", lambda out: generate(out, rows))


def workloads(root: Path, sizes: Sizes) -> list[Workload]:
    """W4."""
    folder = table(root, sizes.flip_rows)
    predicates = tuple(texts.predicate(c) for c in COLUMNS)
    return [
        Workload(
            *NAMES,
            "four RLIKEs whose pass rates turn round half-way",
            predicates,
            folder / "whole",
            segments=(folder / "before", folder / "after"),
            conf=CONF,
            columns=COLUMNS,
        )
    ]
