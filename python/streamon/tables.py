"""What StreaMon decided and counted, as DataFrames. Plain SQL, so they work over Spark Connect too."""

from __future__ import annotations

from typing import Any, cast

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from streamon import jvm


def decisions(spark: SparkSession) -> DataFrame:
    """The changes of plan in this application, oldest first; of very many the latest ten thousand.

    Over Spark Connect this table, and every other, has what is of the user's own queries.

    Columns: `time`, `query` (the streaming query's id, or `execution-N` for batch), `operator`, `executor`
    (which made it, by its name in Spark's UI), `algorithm`, `old_order` and `new_order` (the conjuncts in
    the order of evaluation), and `statistics`: for each conjunct its drop rate in [0, 1] and its mean cost
    in nanoseconds a row. `straight_nanos` and `learned_nanos`: what a profiled row of a filter takes in the
    first order, run straight, and in the learned order. Of an MJoin the conjuncts are the inputs that are
    probed; of its caches the orders hold the cache that came or went, and the statistics what it saves less
    what it costs.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return _table(spark, "streamon_decisions() ORDER BY time")


def caches(of: SparkSession | DataFrame | StreamingQuery) -> DataFrame:
    """The caches of subresults that MJoins use, as their latest tasks have told.

    Columns: `query`, `operator`, `cache` (the inputs that it joins and the pipelines that look it up),
    `partitions` that use it, `hits`, `misses` and `updates` since it came into use, `entries`, `bytes`, and
    `benefit_nanos` and `cost_nanos`: what it saves and what it costs to maintain, by row of the join, when it
    was chosen.

    Args:
        of: a streaming query, for its own caches alone; a session or a DataFrame, for all of the application.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return _of(of, "streamon_caches()")


def stats(of: SparkSession | DataFrame | StreamingQuery) -> DataFrame:
    """How often each conjunct of each adaptive filter, and each input of each MJoin, was tried, and dropped.

    Columns: `query`, `operator`, `conjunct`, `written` and `position` (its place in the written order, and in
    that which most rows of late went through, from 0), `evaluations` and `drops` of the conjunct, and of its
    operator `input_rows`, `output_rows`, `profiled`, `reorders` and `reevaluated` (rows that an error made it
    evaluate again, in written order).

    Args:
        of: a streaming query, for its own rows alone; a session or a DataFrame, for all of the application.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return _of(of, "streamon_stats()")


def _of(of: SparkSession | DataFrame | StreamingQuery, relation: str) -> DataFrame:
    """The rows of a table function, of a streaming query only its own."""
    if isinstance(of, DataFrame):
        return _table(of.sparkSession, relation)
    if hasattr(
        of, "runId"
    ):  # a query of either kind of session; Connect's class needs its extra to be imported
        return rows_of(cast(StreamingQuery, of), relation)
    return _table(of, relation)


def rows_of(query: StreamingQuery | str, relation: str) -> DataFrame:
    """The rows of a table function that belong to a streaming query, or to the id of one."""
    if isinstance(query, str):
        spark, id_ = SparkSession.active(), query
    else:
        spark, id_ = _session_of(query), str(query.id)
    return _table(spark, f"{relation} WHERE query = :query", query=id_)


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
            jvm.refuse(spark)
        raise
    return frame
