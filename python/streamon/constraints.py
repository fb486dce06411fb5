"""What k-constraints save an MJoin, or would save it. Plain SQL below, so it works over Spark Connect too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, TypeVar

from pyspark.sql.streaming.query import StreamingQuery

from streamon import constraints_plot, constraints_text, tables
from streamon.errors import NoConstraintsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Constraint:
    """A constraint that the data of an MJoin may keep.

    Attributes:
        operator: the MJoin.
        mode: what it does with constraints: `observe`, `exact`, `approximate` or `strict`.
        constraint: in words, such as `RIDS input 0 -> input 1 on pid`.
        kind: `UNIQUE`, `RIDS`, `CA` or `OA`.
        parent: the number of the input that refers to the other; None for UNIQUE.
        child: the number of the input that is referred to.
        declared: whether a hint declares it.
        used: whether it is relied on now.
        k: how nearly it holds, 0 being strictly; of the partitions the greatest, None when not known.
        violations: rows that have broken it.
        hint: how to declare it, such as `UNIQUE(b, pid)`; None when it cannot be.
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
        rows: rows in the state, cold ones included.
        bytes: what those in memory take.
        dead_rows: rows that constraints call dead and memory has; in `observe` estimated by a sample.
        dead_bytes: what those take.
        evicted_rows: rows that have left memory since the start.
        cold_rows: rows in the state store alone.
        violations: results found with a row that constraints call dead.
        missed: in `approximate`, about how many results are missing.
        missed_at_most: a bound of the same that holds 19 times in 20; None as well where an input is read from the
            state store.
        constraint_bytes: what monitors and key filters of the whole operator take.
    """

    operator: str
    mode: str
    input: int
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


@dataclass(frozen=True)
class Constraints:
    """What was found of a query at one moment. Printing it shows it."""

    query: str
    table: Sequence[Constraint]
    evictions: Sequence[Eviction]
    history: Sequence[Moment]

    @property
    def suggestions(self) -> list[str]:
        """What would save memory or results, one sentence each; none where nothing would be saved."""
        return constraints_text.suggestions(self.table, self.evictions)

    def show(self) -> None:
        """Print the constraints, what they save of each input, and the suggestions."""
        print(self)

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Draw each constraint's k, and the rows, over time. Needs matplotlib (the extra `lab`).

        Args:
            path: where the figure is written as well, in the format that its name ends with.

        Raises:
            ExtraMissingError: matplotlib is not installed.
            NoConstraintsError: there is no history yet.
        """
        figure = constraints_plot.figure(self.history)
        if path is not None:
            figure.savefig(path)
        return figure

    def __str__(self) -> str:
        return constraints_text.text(self.table, self.evictions, self.suggestions)


def constraints(query: StreamingQuery | str) -> Constraints:
    """The constraints that the data of a query's MJoins keep, and what they save or would save.

    >>> found = streamon.constraints(query)  # doctest: +SKIP
    >>> found.show()  # doctest: +SKIP

    Args:
        query: a streaming query, or the id of one of the active session.

    Raises:
        NoConstraintsError: the query has no MJoin, or one that has not told of constraints.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
    """
    found = Constraints(
        query if isinstance(query, str) else str(query.id),
        _rows(Constraint, query, "streamon_constraints()"),
        _rows(Eviction, query, "streamon_evictions()"),
        _rows(Moment, query, "streamon_constraint_history()"),
    )
    if not found.table and not found.evictions:
        raise NoConstraintsError(why_none(query, found.query))
    return found


def why_none(query: StreamingQuery | str, name: str) -> str:
    """Why nothing is known of a query, in a sentence."""
    silent = (
        "has told nothing of constraints: they need spark.streamon.join.constraints other than `off`, an "
        "MJoin without windows of rows, and a micro-batch that has ended."
    )
    if isinstance(query, str):
        return f"Query {name} is not known to have an MJoin, or {silent}"
    progress = query.lastProgress
    if progress is None:
        return f"Query {name} has not ended a micro-batch yet: ask again after the first."
    operators = [operator["operatorName"] for operator in progress["stateOperators"]]
    if "mjoin" not in operators:
        return (
            f"Query {name} has no MJoin: ask for one with the hint MJOIN or spark.streamon.join.enabled; "
            "streamon.why_not(df) tells why a join was left to Spark."
        )
    return f"The MJoin of query {name} {silent}"


T = TypeVar("T", Constraint, Eviction, Moment)


def _rows(kind: type[T], query: StreamingQuery | str, relation: str) -> list[T]:
    names = [field.name for field in fields(kind)]
    return [kind(**{name: row[name] for name in names}) for row in tables.rows_of(query, relation).collect()]
