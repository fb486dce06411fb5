"""Calls of table functions for a session, a DataFrame, a streaming query, or the id of a query.

The calls are plain SQL, so they work over Spark Connect too.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from pyspark.errors import PySparkRuntimeError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from streamon import jvm
from streamon.arguments import wrong
from streamon.errors import ArgumentError
from streamon.table_functions import select

Scope: TypeAlias = "SparkSession | DataFrame | StreamingQuery | str"
"""A session: all queries that it started. A frame: the executions of its plan in its session. A streaming
query, or the id of a query as text: that query. The id of a batch execution is `execution-N`.
"""


def call(name: str, of: Scope, then: str = "") -> DataFrame:
    """The rows of a table function.

    Args:
        name: the function, such as `streamon_stats`.
        of: the queries to report.
        then: SQL that follows the call, such as an ORDER BY.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar in the session's JVM is of another version than this package.
    """
    if is_frame(of):
        frame = cast(DataFrame, of)
        return select(frame.sparkSession, f"{name}(TABLE({{frame}})) {then}", frame=frame)
    if isinstance(of, str) or is_query(of):
        spark, query = session_and_id(cast("StreamingQuery | str", of))
        return select(spark, f"{name}(:query) {then}", {"query": query})
    if is_session(of):
        return select(cast(SparkSession, of), f"{name}() {then}")
    function = name.replace("streamon_", "streamon.", 1)
    raise wrong(function, "a SparkSession, a DataFrame, a StreamingQuery or the id of a query as text", of)


def is_frame(thing: object) -> bool:
    """Whether it is a DataFrame of either kind of session."""
    return isinstance(thing, DataFrame)


# The classes of Spark Connect need packages of their own to be imported, so these look at what there is.


def is_query(thing: object) -> bool:
    """Whether it is a streaming query of either kind of session."""
    # Of the class, since to read the progress of a query asks the JVM or the server.
    return hasattr(type(thing), "runId") and hasattr(type(thing), "lastProgress")


def is_session(thing: object) -> bool:
    """Whether it is a session of either kind, and not the class."""
    return not isinstance(thing, type) and hasattr(thing, "sql") and hasattr(thing, "conf")


def session_of(query: StreamingQuery) -> SparkSession:
    """The session of a Connect query. For a classic one any session of this process will do."""
    return query._session if jvm.is_connect(query) else _any_session()  # type: ignore[attr-defined]


def session_and_id(of: StreamingQuery | str) -> tuple[SparkSession, str]:
    """A session that knows a query, and the id of the query.

    Raises:
        ArgumentError: the query is given by its id, and this process has no session.
    """
    return (_any_session(), of) if isinstance(of, str) else (session_of(of), str(of.id))


def _any_session() -> SparkSession:
    try:
        # Also in a thread in which no session is active.
        return SparkSession.active()
    except PySparkRuntimeError:
        raise ArgumentError(
            "The id of a query is looked up in a session of this process, and there is none: start one."
        ) from None
