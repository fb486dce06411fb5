"""How much data the workloads of the bench of constraints get."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConstraintSizes:
    """Of each workload.

    The network brings `window_rows` packets of customers in ten minutes, by `window_batches` micro-batches,
    for `windows` windows; Linear Road `cars`, so many a second, by `road_files` micro-batches. `nothing_rows`
    are in each stream that obeys nothing, `changing_rows` in the child whose k changes, both by `files`.
    """

    window_rows: int
    window_batches: int
    windows: float
    cars: int
    cars_per_second: float
    road_files: int
    nothing_rows: int
    changing_rows: int
    files: int


FULL = ConstraintSizes(
    window_rows=120_000,
    # A micro-batch each two seconds.
    window_batches=300,
    windows=1.2,
    cars=6_000,
    cars_per_second=3.0,
    road_files=20,
    nothing_rows=100_000,
    changing_rows=40_000,
    files=20,
)
QUICK = ConstraintSizes(
    window_rows=6_000,
    window_batches=5,
    windows=1.6,
    cars=600,
    cars_per_second=0.3,
    road_files=10,
    nothing_rows=5_000,
    changing_rows=4_000,
    files=4,
)
"""Enough to see that all works, too little to judge by."""
