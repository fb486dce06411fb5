"""How much data the workloads of the caching bench get."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CachingSizes:
    """`rows` of all streams in the longer run of each pair; the shorter has `short` of them.

    `windows` are the rows of R that each T meets in the joins without an index. Each stream has `files`
    files, and five times as many in the burst.
    """

    rows: int
    short: float
    windows: tuple[int, ...]
    files: int


FULL = CachingSizes(rows=120_000, short=0.25, windows=(1_000, 2_000, 4_000), files=4)
QUICK = CachingSizes(rows=24_000, short=0.5, windows=(500, 1_000), files=3)
"""Enough to see that all works, too little to judge by."""
