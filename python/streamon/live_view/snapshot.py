"""What a live view shows of a query, at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Batch:
    """The latest micro-batch that has ended.

    Attributes:
        number: its id.
        timestamp: when it began, in UTC, as Spark writes it.
        millis: how long it took; None where Spark does not say.
        rows: rows that it took in.
        arriving: rows a second that arrived; None where Spark does not say.
        processed: rows a second that were processed; None where Spark does not say.
    """

    number: int
    timestamp: str
    millis: int | None
    rows: int
    arriving: float | None
    processed: float | None


@dataclass(frozen=True)
class State:
    """The state of one stateful operator, after the latest micro-batch.

    Attributes:
        operator: its name in the progress of the query, such as `mjoin`.
        rows: rows in its state.
        bytes: the memory that it takes.
        late: rows that the micro-batch dropped because they were behind the watermark.
    """

    operator: str
    rows: int
    bytes: int
    late: int


@dataclass(frozen=True)
class Step:
    """A conjunct of a filter, or an input that a pipeline looks into. Counts are since the query's start."""

    text: str
    evaluations: int
    drops: int


@dataclass(frozen=True)
class Order:
    """The present order of an adaptive filter, or of a probing pipeline of an MJoin.

    Attributes:
        operator: the filter or the pipeline.
        steps: in the order that most of the latest rows went through.
        reorders: how often the order has changed.
    """

    operator: str
    steps: tuple[Step, ...]
    reorders: int


@dataclass(frozen=True)
class Change:
    """A decision: one order, or one set of caches, gave way to another."""

    time: datetime
    operator: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Cache:
    """A cache of subresults that an MJoin uses. Hits and misses are since it came into use."""

    operator: str
    cache: str
    hits: int
    misses: int
    entries: int
    bytes: int


@dataclass(frozen=True)
class JoinInput:
    """The rows of an input of an MJoin that measures constraints, and what these make of them.

    Attributes:
        operator: the MJoin.
        name: by what the query calls the input, or `input N`.
        rows: rows in the state, cold ones included.
        dead: rows in memory that no future row can meet; in `observe` an estimate.
        evicted: rows that have left memory since the start.
        cold: rows in the state store alone.
    """

    operator: str
    name: str
    rows: int
    dead: int
    evicted: int
    cold: int


@dataclass(frozen=True)
class Snapshot:
    """A query at one moment.

    Attributes:
        query: its id.
        name: its name, if it has one.
        active: whether it runs.
        failure: why it failed, if it has.
        batch: the latest micro-batch; None before the first has ended.
        states: of all stateful operators, Spark's own as well.
        orders: of all adaptive filters and pipelines.
        changes: the latest decisions, oldest first.
        caches: those in use.
        inputs: of the MJoins that measure constraints.
    """

    query: str
    name: str | None = None
    active: bool = True
    failure: str | None = None
    batch: Batch | None = None
    states: tuple[State, ...] = ()
    orders: tuple[Order, ...] = ()
    changes: tuple[Change, ...] = ()
    caches: tuple[Cache, ...] = ()
    inputs: tuple[JoinInput, ...] = ()
