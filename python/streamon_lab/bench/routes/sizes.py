"""How many rows the bench of routes filters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RouteSizes:
    """Rows of the logs, of those that drift, and flights."""

    logs: int
    drift: int
    flights: int


FULL = RouteSizes(logs=4_000_000, drift=6_000_000, flights=1_000_000)
QUICK = RouteSizes(logs=400_000, drift=600_000, flights=100_000)
"""Enough to see that all works, too little to judge by; also the sample on which costs are measured."""
