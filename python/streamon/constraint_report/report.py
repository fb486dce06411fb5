"""The k-constraints of MJoins, and the memory that they save or would save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from streamon import scope
from streamon.constraint_report import plot, text
from streamon.constraint_report.rows import ConstrainedInput, Constraint, ConstraintPoint
from streamon.errors import NoConstraintsError
from streamon.records import record
from streamon.scope import Scope

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pyspark.sql.types import StructType


@dataclass(frozen=True)
class Constraints:
    """The constraints of MJoins at one moment. `print` shows two tables and suggestions.

    Attributes:
        constraints: each constraint with its k, and the hint that declares it.
        inputs: each input with its numbers of live, dead and evicted rows.
        history: each constraint at the end of each micro-batch, oldest first.
    """

    constraints: Sequence[Constraint]
    inputs: Sequence[ConstrainedInput]
    history: Sequence[ConstraintPoint]
    _session: SparkSession | None = field(default=None, repr=False, compare=False)
    _schema: StructType | None = field(default=None, repr=False, compare=False)

    @property
    def suggestions(self) -> list[str]:
        """Changes that would save memory or results, one sentence each. Empty when nothing would be saved."""
        return text.suggestions(self.constraints, self.inputs)

    def df(self) -> DataFrame:
        """The constraints as a DataFrame. `streamon_evictions()` has the inputs in SQL."""
        session = self._session or SparkSession.active()
        rows = [tuple(asdict(constraint).values()) for constraint in self.constraints]
        return session.createDataFrame(rows, cast("StructType", self._schema))

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Draw each constraint's k, and the rows, over time. Needs matplotlib.

        Args:
            path: also write the figure to this file. The suffix gives the format. Default: no file.

        Raises:
            ExtraMissingError: matplotlib is not installed.
            NoConstraintsError: there is no history yet.
        """
        figure = plot.figure(self.history)
        if path is not None:
            figure.savefig(path)
        return figure

    def __str__(self) -> str:
        return text.text(self.constraints, self.inputs, self.suggestions)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return text.html(self.constraints, self.inputs, self.suggestions)


def constraints(of: Scope) -> Constraints:
    """The constraints that the data of MJoins keep, and the memory that they save or would save.

    Three tables are read one after the other. If a micro-batch ends meanwhile, the later ones are newer.

    >>> print(streamon.constraints(query))  # doctest: +SKIP

    Args:
        of: a streaming query, or its id as text; a session, for all queries that it started; a DataFrame, for
            the queries that were started from it.

    Raises:
        ArgumentError: `of` has another type.
        NoConstraintsError: there is no MJoin, or it has not reported constraints yet.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    frame = scope.call("streamon_constraints", of)
    found = Constraints(
        [record(Constraint, row) for row in frame.collect()],
        [record(ConstrainedInput, row) for row in scope.call("streamon_evictions", of).collect()],
        [record(ConstraintPoint, row) for row in scope.call("streamon_constraint_history", of).collect()],
        frame.sparkSession,
        frame.schema,
    )
    if not found.constraints and not found.inputs:
        raise NoConstraintsError(why_none(of))
    return found


def why_none(of: Scope) -> str:
    """Why no constraints are known, in one sentence or several."""
    needed = (
        "Constraints are measured in an MJoin without windows of rows, if spark.streamon.join.constraints is "
        "not `off`. The first numbers come after the first micro-batch."
    )
    if isinstance(of, str):
        return f"Query {of} is not known to have an MJoin with constraints. {needed}"
    if not scope.is_query(of):
        asked = "frame" if scope.is_frame(of) else "session"
        return f"No query of this {asked} is known to have an MJoin with constraints. {needed}"
    query = cast(StreamingQuery, of)
    progress = query.lastProgress
    if progress is None:
        return f"Query {query.id} has not finished a micro-batch yet. Call this again after the first one."
    operators = [operator["operatorName"] for operator in progress["stateOperators"]]
    if "mjoin" not in operators:
        return (
            f"Query {query.id} has no MJoin. Ask for one with the hint MJOIN or spark.streamon.join.enabled; "
            "streamon.why_not gives the reason when a join is left to Spark."
        )
    return f"The MJoin of query {query.id} has not reported any constraints. {needed}"
