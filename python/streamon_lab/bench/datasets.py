"""A folder of generated data: each data set is made once, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GENERATION = 1
"""Part of each data set's name; raised when a generator changes what it writes."""


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


def cached(root: Path, name: str, generate: Callable[[Path], object]) -> Path:
    """The folder `name` under `root`, made by `generate` if it is not there yet.

    `generate` writes into a folder that takes its final name only when it is complete, so that an
    interrupted run leaves nothing that looks like data.
    """
    finished = root.resolve() / f"{name}-v{GENERATION}"
    if not finished.exists():
        partial = finished.with_name(finished.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        generate(partial)
        partial.rename(finished)
    return finished
