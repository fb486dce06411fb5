"""The rows of the table functions about constraints, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Constraint:
    """A constraint that the data of an MJoin may keep.

    Attributes:
        query: the id of the streaming query.
        operator: the MJoin.
        mode: its setting `join.constraints`: `observe`, `exact`, `approximate` or `strict`.
        constraint: its text, such as `RIDS c -> b on pid`, or with `input 0` for an input without a name.
        kind: `UNIQUE`, `RIDS`, `CA` or `OA`.
        input: the constrained input. For `RIDS` the input whose rows are referred to.
        referring_input: for `RIDS` the input with the referring rows. None for the other kinds.
        declared: whether a hint declares it.
        used: whether the MJoin relies on it now. In `observe`: whether it would.
        k: how nearly it holds, the largest of all partitions. 0 means strictly, None means unknown.
            The k of `CA` counts the rows with other keys from the first row of a key to its last. In
            `observe` the k of `RIDS` and `CA` is measured on one key in sixteen, and may be too small.
        violations: the number of rows that have broken it.
        hint: the hint that declares it, such as `UNIQUE(b, pid)`. None if no hint can, or it does not hold.
        partitions: the number of partitions that have reported it.
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
    """The rows of one input of an MJoin, and the effect of constraints on them.

    Attributes:
        query: the id of the streaming query.
        operator: the MJoin.
        mode: its setting `join.constraints`.
        input: the number of the input, from 0.
        name: its name in the query. None if it has none.
        rows: rows in the state, including cold rows.
        bytes: memory of the rows that are in memory.
        dead_rows: dead rows in memory. In `observe` an estimate from a sample.
        dead_bytes: the memory of the dead rows.
        evicted_rows: rows that have left memory since the start.
        cold_rows: rows that are only in the state store.
        violations: results that contain a row that constraints call dead.
        missed: in `approximate`, an estimate of the number of missing results.
        missed_at_most: an upper bound of the same with 95% confidence. None if an input is read from the
            state store.
        constraint_bytes: the memory of the monitors and key filters of the whole operator.
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
