"""Three streams on one key, of which rows within ten minutes of each other are joined.

The keys are those of `one_key`; each comes in all streams within the same quarter of an hour. The watermark
follows the streams, so that the state keeps the latest minutes of two hours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.joins import variants
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.joins.workloads import one_key
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.variants import MJOIN_AGAIN
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

NAMES = ("3-way-windowed",)
SEED = 10
STREAMS = 3
MINUTE = 60_000
"""Milliseconds of event time, as are the next two."""
LASTS, SPREAD = 120 * MINUTE, 15 * MINUTE

NEAR = "BETWEEN s0.t - INTERVAL 10 MINUTES AND s0.t + INTERVAL 10 MINUTES"
QUERY = f"{one_key.query(STREAMS)} WHERE {' AND '.join(f's{i}.t {NEAR}' for i in range(1, STREAMS))}"


def generate(folder: Path, keys: int, per_stream: int) -> None:
    """Writes `s0` to `s2` in the order of their event times, all cut into files at the same times."""
    starts = np.random.default_rng(SEED).integers(LASTS - SPREAD, size=keys)
    cuts = files.evenly(LASTS, per_stream)
    for stream in range(STREAMS):
        rng = np.random.default_rng([SEED, stream])
        k = one_key.keys_of(stream, keys)
        ts = starts[k] + rng.integers(SPREAD, size=len(k))
        order = np.argsort(ts, kind="stable")
        rows = {
            "k": k[order],
            "v": rng.integers(one_key.VALUES, size=len(k)),
            "p": files.hexadecimal(rng, len(k)),
        }
        ends = [int(end) for end in np.searchsorted(ts[order], cuts)]
        files.write(folder, f"s{stream}", pa.table({**rows, "ts": ts[order]}), ends)


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`3-way-windowed`."""
    keys = sizes.keys[STREAMS]
    folder = cached(root, f"windowed-{keys}-{sizes.files}", lambda out: generate(out, keys, sizes.files))
    return [
        JoinWorkload(
            *NAMES,
            "3 streams on one key within ten minutes, with watermarks",
            tuple(Stream(f"s{i}", one_key.COLUMNS, timed=True) for i in range(STREAMS)),
            QUERY,
            ("k", "x", "l"),
            folder,
            sizes.files,
            sum(len(one_key.keys_of(i, keys)) for i in range(STREAMS)),
            (*variants.STREAMED, MJOIN_AGAIN, variants.BATCH),
            expires=True,
        )
    ]
