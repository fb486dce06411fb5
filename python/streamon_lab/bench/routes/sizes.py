"""How many rows the bench of routes filters and joins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RouteSizes:
    """Rows of the logs, of those that drift, flights, and rows that are joined in so many micro-batches."""

    logs: int
    drift: int
    flights: int
    join: int
    micro_batches: int


FULL = RouteSizes(logs=4_000_000, drift=6_000_000, flights=1_000_000, join=400_000, micro_batches=10)
QUICK = RouteSizes(logs=400_000, drift=600_000, flights=100_000, join=100_000, micro_batches=5)
"""Enough to see that all works, too little to judge by; also the sample on which costs are measured."""
