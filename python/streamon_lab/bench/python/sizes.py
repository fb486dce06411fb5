"""How many rows the bench of Python functions filters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PythonSizes:
    """Rows of the logs, of those with a payload, of those for vectorised functions, and of other data."""

    logs: int
    wide: int
    vectorised: int
    flights: int
    flip: int
    trivial: int


FULL = PythonSizes(
    logs=240_000, wide=100_000, vectorised=1_500_000, flights=336_776, flip=1_000_000, trivial=600_000
)
QUICK = PythonSizes(
    logs=40_000, wide=20_000, vectorised=200_000, flights=60_000, flip=120_000, trivial=100_000
)
"""Enough to see that all works, too little to judge by; also the sample on which costs are measured."""
