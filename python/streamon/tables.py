"""What StreaMon decided and counted, as DataFrames. Plain SQL, so they work over Spark Connect too."""

from __future__ import annotations

from typing import Any, cast

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from streamon import jvm
from streamon.errors import NotLoadedError


def decisions(spark: SparkSession) -> DataFrame:
    """Every change of plan in this application, oldest first.

    Columns: `time`, `query` (the streaming query's id, or `execution-N` for batch), `operator`, `algorithm`,
    `old_order` and `new_order` (the conjuncts in the order of evaluation), and `statistics`: for each
    conjunct its drop rate in [0, 1] and its mean cost in nanoseconds a row. `straight_nanos` and
    `learned_nanos`: what a profiled row takes in the first order, run straight, and in the learned order.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
    """
    return _table(spark, "streamon_decisions() ORDER BY time")


def stats(of: SparkSession | DataFrame | StreamingQuery) -> DataFrame:
    """What each conjunct of each adaptive filter has cost and dropped so far.

    Columns: `query`, `operator`, `conjunct`, `written` and `position` (its place in the written and in the
    present order, from 0), `evaluations` and `drops` of the conjunct, and of its operator `input_rows`,
    `output_rows`, `profiled`, `reorders` and `reevaluated` (rows that an error made it evaluate again, in
    written order).

    Args:
        of: a streaming query, for its own rows alone; a session or a DataFrame, for all of the application.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
    """
    if isinstance(of, DataFrame):
        return _table(of.sparkSession, "streamon_stats()")
    if hasattr(
        of, "runId"
    ):  # a query of either kind of session; Connect's class needs its extra to be imported
        query = cast(StreamingQuery, of)
        return _table(_session_of(query), "streamon_stats() WHERE query = :query", query=str(query.id))
    return _table(of, "streamon_stats()")


def _session_of(query: StreamingQuery) -> SparkSession:
    """A Connect query knows its session; of a classic one any session of this process will do."""
    return query._session if jvm.is_connect(query) else SparkSession.active()  # type: ignore[attr-defined]


def _table(spark: SparkSession, relation: str, **arguments: Any) -> DataFrame:
    """Select all of a table function, and turn its absence into one sentence."""
    try:
        frame = spark.sql(f"SELECT * FROM {relation}", args=arguments)  # noqa: S608
        frame.schema  # noqa: B018  a Connect client resolves the name only now
    except AnalysisException as error:
        if error.getCondition() == "UNRESOLVABLE_TABLE_VALUED_FUNCTION":
            raise NotLoadedError(jvm.NOT_LOADED) from None
        raise
    return frame
