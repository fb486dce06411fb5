"""What StreaMon tells of constraints, as rows of its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Constraint:
    """A constraint that the data of an MJoin may keep.

    Attributes:
        operator: the MJoin.
        mode: what it does with constraints: `observe`, `exact`, `approximate` or `strict`.
        constraint: in words, such as `RIDS c -> b on pid`, or with `input 0` for an input without a name.
        kind: `UNIQUE`, `RIDS`, `CA` or `OA`.
        parent: for `RIDS` the number of the input whose rows wait; None for the others.
        child: for `RIDS` the number of the input that is referred to, else of the one that it is about.
        declared: whether a hint declares it.
        used: whether it is relied on now; in `observe` whether it would be.
        k: how nearly it holds, 0 being strictly; of the partitions the greatest, None when not known. That of
            CA counts the rows with other keys from the first row of a key to its last. In `observe` that
            of RIDS and CA is measured on one key in sixteen, and may be too small.
        violations: rows that have broken it.
        hint: how to declare it, such as `UNIQUE(b, pid)`; None when it cannot be, or does not hold.
        partitions: those that have told of it.
    """

    operator: str
    mode: str
    constraint: str
    kind: str
    parent: int | None
    child: int
    declared: bool
    used: bool
    k: int | None
    violations: int
    hint: str | None
    partitions: int


@dataclass(frozen=True)
class Eviction:
    """The rows of one input of an MJoin, and what constraints make of them.

    Attributes:
        operator: the MJoin.
        mode: what it does with constraints.
        input: the number of the input.
        name: by what the query calls it; None where that cannot be told.
        rows: rows in the state, cold ones included.
        bytes: what those in memory take.
        dead_rows: rows that constraints call dead and memory has; in `observe` estimated by a sample.
        dead_bytes: what those take.
        evicted_rows: rows that have left memory since the start.
        cold_rows: rows in the state store alone.
        violations: results found with a row that constraints call dead.
        missed: in `approximate`, about how many results are missing.
        missed_at_most: a bound of the same that holds 19 times in 20; None as well where an input is read
            from the state store.
        constraint_bytes: what monitors and key filters of the whole operator take.
    """

    operator: str
    mode: str
    input: int
    name: str | None
    rows: int
    bytes: int
    dead_rows: int
    dead_bytes: int
    evicted_rows: int
    cold_rows: int
    violations: int
    missed: float | None
    missed_at_most: float | None
    constraint_bytes: int


@dataclass(frozen=True)
class Moment:
    """A constraint at the end of a micro-batch: its k, the rows of its operator, and the dead among them."""

    time: datetime
    operator: str
    constraint: str
    k: int | None
    rows: int
    dead_rows: int
