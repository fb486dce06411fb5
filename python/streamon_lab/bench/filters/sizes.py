"""How much data each family of the filter bench gets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """How much data each family gets, in copies of the year 2013, scale factor, or rows.

    `dear_flight_copies` is for the query all of whose predicates are expensive.
    """

    flight_copies: int
    dear_flight_copies: int
    tpch_scale: float
    correlated_rows: int
    flip_rows: int
    integer_rows: int


FULL = Sizes(
    flight_copies=10,
    dear_flight_copies=3,
    tpch_scale=3.0,
    correlated_rows=4_000_000,
    flip_rows=6_000_000,
    integer_rows=60_000_000,
)
QUICK = Sizes(
    flight_copies=2,
    dear_flight_copies=1,
    tpch_scale=0.25,
    correlated_rows=600_000,
    flip_rows=1_000_000,
    integer_rows=8_000_000,
)
"""Enough to see that all works, too little to judge by; also the sample on which costs are measured."""
