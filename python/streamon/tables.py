"""`decisions`, `routes`, `caches` and `stats`: the monitoring tables as DataFrames."""

from __future__ import annotations

from pyspark.sql import DataFrame

from streamon import scope
from streamon.scope import Scope


def decisions(of: Scope) -> DataFrame:
    """The changes of order, of routes and of caches, oldest first. The driver keeps the latest ten thousand.

    Columns: `time`, `query` (the streaming query's id, or `execution-N` for a batch execution), `operator`,
    `executor` (the executor that made the change, by its name in Spark's UI), `algorithm`, `old_order` and
    `new_order` (the conjuncts in the order of evaluation), and `statistics` (for each conjunct its drop rate
    in [0, 1] and its mean cost in nanoseconds for each row). `straight_nanos` and `learned_nanos` are the
    times that a profiled row of a filter takes in the first order and in the learned order. For an MJoin, the
    inputs that are probed stand in the place of the conjuncts. For its caches, `old_order` and `new_order`
    are the caches in use before and after, and the statistics are their benefits less their costs.

    With `query-mesh`, `rows` says in words which rows an order is for. A change of routes has `old_routes`
    and `new_routes` instead of orders, and the times of a row that it expects: `single_nanos` in one order
    for all rows, `old_nanos` and `new_nanos` on the routes before and after.

    For the rules of `match`, the orders are of the columns that rules are looked up in. `old_lookups` and
    `new_lookups` are the look-ups of a sampled row before and after, and `arrows` is the number of groups
    of neighbouring values after which another column comes next. `new_lookups` can be the higher one where
    arrows are given up, since a row that follows them takes more time for each column.

    Args:
        of: a session, for all queries that it started; a DataFrame, for the executions of its plan in its
            session; a streaming query, or the id of a query as text, for that query.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return scope.call("streamon_decisions", of, "ORDER BY time")


def routes(of: Scope) -> DataFrame:
    """The routes of each filter with the algorithm `query-mesh`, as the latest tasks reported them.

    Columns: `query`, `operator`, `executor` (which learned them), `route` (its number, from 0), `rows` (which
    rows take it, in words), `conjuncts` (in the order of evaluation), `input_rows` that took it and their
    `share` in [0, 1], since the executor has this tree. `modelled_saving` and `measured_saving` are shares of
    the filter's time that all routes together save, against the best single order for all rows: as the search
    expected it, and as profiled rows show it.

    Args:
        of: as for `decisions`.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return scope.call("streamon_routes", of)


def caches(of: Scope) -> DataFrame:
    """The caches of subresults that MJoins use now, as the latest tasks reported them.

    Columns: `query`, `operator`, `cache` (the inputs that it joins and the pipelines that look it up),
    `partitions` that use it, `hits`, `misses` and `updates` since it came into use, `entries`, `bytes`, and
    `benefit_nanos` and `cost_nanos` (the time that it saves and the time that its maintenance takes, for each
    row of the join, when it was chosen).

    Args:
        of: as for `decisions`.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return scope.call("streamon_caches", of)


def stats(of: Scope) -> DataFrame:
    """The counts of each conjunct of each adaptive filter, each input of each MJoin, and rules of `match`.

    Rules have a row for each column that they are looked up in, and one for each condition without a look-up.

    Columns: `query`, `operator`, `conjunct`; `written` and `position`, its places in the written order and in
    the order of most of the latest rows, from 0; `evaluations` and `drops` of the conjunct. The others count
    for the whole operator: `input_rows`, `output_rows`, `profiled`, `reorders` and `reevaluated` (rows that
    were evaluated again in written order because of an error).

    Args:
        of: as for `decisions`.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return scope.call("streamon_stats", of)
