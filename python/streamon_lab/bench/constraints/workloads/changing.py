"""A parent that refers to its child ahead of it, by a distance that changes: RIDS whose k nobody declares.

Each row of the child `b` has one of the parent `c`, so many rows of `b` before it, from 0 to k; as many rows
of `c` have none. k stays, rises, falls, or jumps half-way (thesis, Figure 6.11).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from streamon_lab.bench.constraints import variants
from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import streams
from streamon_lab.bench.datasets import cached
from streamon_lab.bench.streaming.workload import JoinWorkload

SEED = 41
LOW, HIGH = 80, 10
"""The least k and the greatest: one row of the child in so many."""
GAP = 10
"""Milliseconds between two rows of the child."""
STREAMS = {"c": "k BIGINT, v BIGINT, ts BIGINT", "b": "k BIGINT, w BIGINT, ts BIGINT"}
QUERY = "SELECT c.k AS k, c.v AS v, b.w AS w FROM c JOIN b ON c.k = b.k"

SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "flat": lambda at: np.full_like(at, 0.5),
    "rising": lambda at: at,
    "falling": lambda at: 1 - at,
    "jumping": lambda at: (at >= 0.5).astype(float),
}
NAMES = tuple(f"k-{shape}" for shape in SHAPES)
"""By name, where k is from the least (0) to the greatest (1), by the share of the stream that is over."""


def ks(shape: str, rows: int) -> np.ndarray:
    """The k at each row of the child."""
    low, high = rows // LOW, rows // HIGH
    return np.asarray(low + SHAPES[shape](np.arange(rows) / rows) * (high - low)).astype(int)


def chain(shape: str, rows: int) -> dict[str, streams.Columns]:
    """The two streams; `rows` of the child."""
    rng = np.random.default_rng([SEED, list(SHAPES).index(shape)])
    number = np.arange(rows)
    distance = np.minimum(rng.integers(ks(shape, rows) + 1), number)
    # Keys in no order: nothing but the distance tells what may still come.
    key = rng.permutation(2 * rows)
    place = np.concatenate([number - distance, rng.integers(rows, size=rows)])
    return {
        "c": {"k": key, "v": rng.integers(1_000, size=2 * rows), "ts": place * GAP + GAP // 2},
        "b": {"k": key[:rows], "w": rng.integers(1_000, size=rows), "ts": number * GAP},
    }


def workloads(root: Path, sizes: ConstraintSizes) -> list[JoinWorkload]:
    """`k-flat`, `k-rising`, `k-falling` and `k-jumping`."""
    rows, count = sizes.changing_rows, sizes.files

    def workload(shape: str) -> JoinWorkload:
        folder = cached(
            root,
            f"constraints-{shape}-{rows}-{count}",
            lambda out: streams.write(out, chain(shape, rows), rows * GAP, count),
        )
        title = f"RIDS whose k is {shape}"
        return streams.workload(
            f"k-{shape}", title, STREAMS, QUERY, folder, count, variants.DETECTED, count // 2
        )

    return [workload(shape) for shape in SHAPES]
