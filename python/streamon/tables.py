"""What StreaMon decided and counted, as DataFrames."""

from __future__ import annotations

from pyspark.sql import DataFrame

from streamon import scope
from streamon.scope import Scope


def decisions(of: Scope) -> DataFrame:
    """The changes of plan, oldest first. The driver keeps the latest ten thousand.

    Columns: `time`, `query` (the streaming query's id, or `execution-N` for a batch execution), `operator`,
    `executor` (the executor that made the change, by its name in Spark's UI), `algorithm`, `old_order` and
    `new_order` (the conjuncts in the order of evaluation), and `statistics`: for each conjunct its drop rate
    in [0, 1] and its mean cost in nanoseconds a row. `straight_nanos` and `learned_nanos` are the times that
    a profiled row of a filter takes in the first order and in the learned order. For an MJoin the conjuncts
    are the inputs that are probed. For its caches the orders hold the cache that came or went, and the
    statistics hold its benefit less its cost.

    Args:
        of: a session, for all queries that it started; a DataFrame, for the executions of its plan in its
            session; a streaming query, or the id of a query as text, for that query.

    Raises:
        ArgumentError: `of` is something else.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return scope.call("streamon_decisions", of, "ORDER BY time")


def caches(of: Scope) -> DataFrame:
    """The caches of subresults that MJoins use, as their latest tasks reported them.

    Columns: `query`, `operator`, `cache` (the inputs that it joins and the pipelines that look it up),
    `partitions` that use it, `hits`, `misses` and `updates` since it came into use, `entries`, `bytes`, and
    `benefit_nanos` and `cost_nanos`: what it saves and what its maintenance costs, for each row of the join,
    when it was chosen.

    Args:
        of: as for `decisions`.

    Raises:
        ArgumentError: `of` is something else.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return scope.call("streamon_caches", of)


def stats(of: Scope) -> DataFrame:
    """How often each conjunct of each adaptive filter, and each input of each MJoin, was tried, and dropped.

    Columns: `query`, `operator`, `conjunct`, `written` and `position` (its place in the written order, and in
    the order that most of the latest rows went through, from 0), `evaluations` and `drops` of the conjunct,
    and of its operator `input_rows`, `output_rows`, `profiled`, `reorders` and `reevaluated` (rows that were
    evaluated again in written order because of an error).

    Args:
        of: as for `decisions`.

    Raises:
        ArgumentError: `of` is something else.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    return scope.call("streamon_stats", of)
