"""Three streams on one key, of which rows within ten minutes of each other are joined.

A key comes in each stream at some time of the same quarter of an hour, and with probability 0.2 twice. The
watermark follows the streams, so that the state keeps the latest minutes of two hours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon.bench.datasets import cached
from streamon.bench.joins import files, variants
from streamon.bench.joins.sizes import JoinSizes
from streamon.bench.joins.workload import JoinWorkload, Stream

SEED = 10
STREAMS = 3
TWICE = 0.2
VALUES = 1_000
MINUTE = 60_000
"""Milliseconds of event time, as are the next two."""
LASTS, SPREAD = 120 * MINUTE, 15 * MINUTE
COLUMNS = "k BIGINT, v BIGINT, p STRING, ts BIGINT"

NEAR = "BETWEEN s0.t - INTERVAL 10 MINUTES AND s0.t + INTERVAL 10 MINUTES"
QUERY = (
    "SELECT s0.k AS k, s0.v + s1.v + s2.v AS x,"
    " CAST(char_length(concat(s0.p, s1.p, s2.p)) AS BIGINT) AS l FROM s0"
    + "".join(f" JOIN s{i} ON s0.k = s{i}.k AND s{i}.t {NEAR}" for i in range(1, STREAMS))
)


def _keys(stream: int, keys: int) -> np.ndarray:
    """The keys of a stream, in no order."""
    again = np.random.default_rng([SEED, stream]).random(keys) < TWICE
    return np.concatenate([np.arange(keys), np.flatnonzero(again)])


def generate(folder: Path, keys: int, per_stream: int) -> None:
    """Writes `s0` to `s2` in the order of their event times, all cut into files at the same times."""
    starts = np.random.default_rng(SEED).integers(LASTS - SPREAD, size=keys)
    cuts = files.evenly(LASTS, per_stream)
    for stream in range(STREAMS):
        rng = np.random.default_rng([SEED, stream, 1])
        k = _keys(stream, keys)
        ts = starts[k] + rng.integers(SPREAD, size=len(k))
        order = np.argsort(ts, kind="stable")
        rows = {"k": k[order], "v": rng.integers(VALUES, size=len(k)), "p": files.hexadecimal(rng, len(k))}
        ends = [int(end) for end in np.searchsorted(ts[order], cuts)]
        files.write(folder, f"s{stream}", pa.table({**rows, "ts": ts[order]}), ends)


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`3-way-windowed`."""
    keys = sizes.keys[STREAMS]
    folder = cached(root, f"windowed-{keys}-{sizes.files}", lambda out: generate(out, keys, sizes.files))
    return [
        JoinWorkload(
            "3-way-windowed",
            "3 streams on one key within ten minutes, with watermarks",
            tuple(Stream(f"s{i}", COLUMNS, timed=True) for i in range(STREAMS)),
            QUERY,
            ("k", "x", "l"),
            folder,
            sizes.files,
            sum(len(_keys(i, keys)) for i in range(STREAMS)),
            (*variants.STREAMED, variants.MJOIN_AGAIN, variants.BATCH),
            expires=True,
        )
    ]
