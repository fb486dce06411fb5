"""What StreaMon knows of constraints, as rows of its table functions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Constraint:
    """A constraint that the data of an MJoin may keep.

    Attributes:
        query: the id of the streaming query.
        operator: the MJoin.
        mode: what it does with constraints: `observe`, `exact`, `approximate` or `strict`.
        constraint: in words, such as `RIDS c -> b on pid`, or with `input 0` for an input without a name.
        kind: `UNIQUE`, `RIDS`, `CA` or `OA`.
        input: the input that it is about; for `RIDS` the input that is referred to.
        referring_input: for `RIDS` the input whose rows refer to it; None for the others.
        declared: whether a hint declares it.
        used: whether the MJoin relies on it now; in `observe` whether it would.
        k: how nearly it holds; 0 means strictly. The greatest of all partitions; None when it is not known.
            The k of `CA` counts the rows with other keys from the first row of a key to its last. In
            `observe` the k of `RIDS` and `CA` is measured on one key in sixteen, and may be too small.
        violations: rows that have broken it.
        hint: how to declare it, such as `UNIQUE(b, pid)`; None when it cannot be, or does not hold.
        partitions: those that have told of it.
    """

    query: str
    operator: str
    mode: str
    constraint: str
    kind: str
    input: str
    referring_input: str | None
    declared: bool
    used: bool
    k: int | None
    violations: int
    hint: str | None
    partitions: int


@dataclass(frozen=True)
class ConstrainedInput:
    """The rows of one input of an MJoin, and what constraints make of them.

    Attributes:
        query: the id of the streaming query.
        operator: the MJoin.
        mode: what it does with constraints.
        input: the number of the input, from 0.
        name: its name in the query; None where it has none.
        rows: rows in the state, cold rows included.
        bytes: memory of the rows that are in memory.
        dead_rows: dead rows that are in memory; in `observe` an estimate from a sample.
        dead_bytes: their memory.
        evicted_rows: rows that have left memory since the start.
        cold_rows: rows in the state store alone.
        violations: results found with a row that constraints call dead.
        missed: in `approximate`, about how many results are missing.
        missed_at_most: a bound of the same that holds 19 times in 20; None as well where an input is read
            from the state store.
        constraint_bytes: what monitors and key filters of the whole operator take.
    """

    query: str
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
class ConstraintPoint:
    """A constraint at the end of a micro-batch: its k, and the rows and dead rows of its operator."""

    time: datetime
    query: str
    operator: str
    constraint: str
    k: int | None
    rows: int
    dead_rows: int
