"""How much data each family of join workloads gets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JoinSizes:
    """`keys` by the number of streams joined, `long_keys` for the longer runs.

    `growing_keys` are those of three runs of one join, each twice as long as the one before.
    `different_keys_rows` are in each stream of a join whose pairs have keys of their own.
    Each stream has `files` files.
    """

    keys: dict[int, int]
    long_keys: dict[int, int]
    growing_keys: tuple[int, int, int]
    different_keys_rows: int
    nexmark_events: int
    drift_rows: int
    files: int


FULL = JoinSizes(
    keys={3: 83_333, 5: 50_000, 8: 20_000},
    long_keys={3: 416_667, 5: 250_000},
    growing_keys=(277_778, 555_556, 1_111_111),
    different_keys_rows=60_000,
    nexmark_events=300_000,
    drift_rows=300_000,
    files=20,
)
"""300,000 rows in three and in five streams, 192,000 in eight, 1.5 million in the long runs; 1, 2 and 4
million in the growing runs."""

QUICK = JoinSizes(
    keys={3: 8_333, 5: 5_000, 8: 2_000},
    long_keys={3: 25_000, 5: 15_000},
    growing_keys=(5_000, 10_000, 20_000),
    different_keys_rows=6_000,
    nexmark_events=30_000,
    drift_rows=40_000,
    files=4,
)
"""Enough to see that all works, too little to judge by."""
