"""Three streams that obey nothing: keys at random, with repeats, in no order."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamon_lab.bench.constraints import variants
from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import streams
from streamon_lab.bench.datasets import cached
from streamon_lab.bench.streaming.workload import JoinWorkload

NAMES = ("obeys-nothing",)
SEED = 37
REPEATS = 2
"""Rows of a key in each stream, on average."""
STREAMS = dict.fromkeys(("s0", "s1", "s2"), "k BIGINT, v BIGINT, ts BIGINT")
QUERY = """\
SELECT s0.k AS k, s0.v + s1.v + s2.v AS x FROM s0 JOIN s1 ON s0.k = s1.k JOIN s2 ON s0.k = s2.k"""


def keys(rows: int) -> dict[str, streams.Columns]:
    """The three streams."""
    rng = np.random.default_rng(SEED)
    return {
        name: {
            "k": rng.integers(rows // REPEATS, size=rows),
            "v": rng.integers(1_000, size=rows),
            "ts": np.arange(rows),
        }
        for name in STREAMS
    }


def workloads(root: Path, sizes: ConstraintSizes) -> list[JoinWorkload]:
    """`obeys-nothing`."""
    rows, count = sizes.nothing_rows, sizes.files
    folder = cached(
        root,
        f"constraints-nothing-{rows}-{count}",
        lambda out: streams.write(out, keys(rows), rows, count),
    )
    return [
        streams.workload(
            *NAMES,
            "3 streams, keys at random",
            STREAMS,
            QUERY,
            folder,
            count,
            variants.WATCHED,
            count // 2,
        )
    ]
