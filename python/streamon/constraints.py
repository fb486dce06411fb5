"""What k-constraints save an MJoin, or would save it. Plain SQL below, so it works over Spark Connect too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING, TypeVar

from pyspark.sql.streaming.query import StreamingQuery

from streamon import constraints_plot, constraints_text, tables
from streamon.constraints_rows import Constraint, Eviction, Moment
from streamon.errors import NoConstraintsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
