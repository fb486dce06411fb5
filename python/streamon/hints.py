"""Typed functions for the hints of StreaMon. Each returns `df.hint(...)`, so it works over Spark Connect too.

An option that is None is not part of the hint, and the setting of the session applies. The values of options
and the names of inputs are checked by Spark's analyzer: of a classic frame at once, over Spark Connect when
the frame is analyzed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyspark.sql import DataFrame

from streamon.arguments import wrong
from streamon.errors import ArgumentError
from streamon.hint_arguments import names_of, require_frame, texts_of, window_of

Algorithm = Literal["a-greedy", "sweep", "independent", "local-swaps", "static", "query-mesh"]
"""How an order is kept best."""

RouteSearch = Literal["ii-qm", "sa-qm", "opt-qm"]
"""How routes are searched for."""

RouteStart = Literal["content-driven", "route-driven", "random-pick", "extreme-1-route", "extreme-n"]
"""Where a search for routes begins."""


def adaptive_filter(
    df: DataFrame,
    *,
    algorithm: Algorithm | None = None,
    routes: int | None = None,
    routes_search: RouteSearch | None = None,
    routes_start: RouteStart | None = None,
    window: int | None = None,
    profiling_probability: float | None = None,
    profiling_budget: float | None = None,
    thrash_avoidance: float | None = None,
    initial_order: Literal["cheapest", "written"] | None = None,
    errors: Literal["withhold", "strict"] | None = None,
    min_cost: float | None = None,
) -> DataFrame:
    """Ask for an adaptive order of the conjuncts in every filter that the frame has so far.

    >>> late = streamon.adaptive_filter(flights.where(slow & telling), algorithm="sweep")  # doctest: +SKIP

    Args:
        df: a frame with a filter of two or more conjuncts.
        algorithm: how the order is kept best. With `query-mesh`, each kind of row has an order of its own.
        routes: for `query-mesh`, orders at most; 1 to 8.
        routes_search: for `query-mesh`, how it searches.
        routes_start: for `query-mesh`, where the search begins.
        window: profile tuples in the profile window.
        profiling_probability: the share of rows that are sampled, at most; from 0 to 1.
        profiling_budget: the share of the filter's own time that profiling may take; above 0, up to 1.
        thrash_avoidance: how much better another order must be, as a factor; above 0, up to 1.
        initial_order: the order before anything has been learned.
        errors: what happens to an error of a conjunct that is evaluated out of turn.
        min_cost: nanoseconds a row from which a filter without a hint adapts. A filter with this hint adapts
            anyway.

    Returns:
        The frame with the hint `ADAPTIVE_FILTER`.

    Raises:
        ArgumentError: `df` is not a DataFrame.
        pyspark.errors.AnalysisException: an option has a value that it cannot have.
    """
    options = texts_of(
        {
            "algorithm": algorithm,
            "routes": routes,
            "routes.search": routes_search,
            "routes.start": routes_start,
            "window": window,
            "profilingProbability": profiling_probability,
            "profilingBudget": profiling_budget,
            "thrashAvoidance": thrash_avoidance,
            "initialOrder": initial_order,
            "errors": errors,
            "minCost": min_cost,
        }
    )
    return require_frame("adaptive_filter", df).hint("adaptive_filter", *options)


def mjoin(
    df: DataFrame,
    *inputs: str,
    algorithm: Algorithm | None = None,
    routes: int | None = None,
    routes_search: RouteSearch | None = None,
    routes_start: RouteStart | None = None,
    window: int | None = None,
    profiling_probability: float | None = None,
    thrash_avoidance: float | None = None,
    caching: Literal["off", "prefix", "global"] | None = None,
    caching_interval: int | None = None,
    caching_window: int | None = None,
    caching_change: float | None = None,
    constraints: Literal["off", "observe", "exact", "approximate", "strict"] | None = None,
    constraints_detect: bool | None = None,
    constraints_window: int | None = None,
    constraints_threshold: int | None = None,
    constraints_retention: float | None = None,
) -> DataFrame:
    """Ask for one MJoin instead of Spark's chain of joins.

    The frame has its join conditions already: call this after the last `join`. The state store must be
    RocksDB.

    >>> joined = streamon.mjoin(joined, "c", "b", "o", caching="prefix")  # doctest: +SKIP

    Args:
        df: a frame that joins streams.
        inputs: the inputs to join, each by its alias or the name of its table or view. Without names every
            join below is taken.
        algorithm: how the order of each probing pipeline is kept best. With `query-mesh`, each kind of
            arriving row has an order of its own.
        routes: for `query-mesh`, orders at most for the rows of one input; 1 to 8.
        routes_search: for `query-mesh`, how it searches.
        routes_start: for `query-mesh`, where the search begins.
        window: profile tuples in the profile window of each pipeline.
        profiling_probability: the share of rows that are sampled; from 0 to 1.
        thrash_avoidance: how much better another order must be, as a factor; above 0, up to 1.
        caching: which subresults may be cached.
        caching_interval: rows of a partition, at least, between two measurements of caches.
        caching_window: profiled rows of each input that such a measurement is the mean of.
        caching_change: the share by which a benefit or a cost must change before caches are chosen anew.
        constraints: what happens to rows that no future row can meet.
        constraints_detect: whether constraints that nobody declared are used as well.
        constraints_window: rows of an input, in one partition, from which a k is learned.
        constraints_threshold: the greatest learned k that is used, in rows of one partition.
        constraints_retention: in `approximate`, the share of dead rows that stay for a while; from 0 to 1.

    Returns:
        The frame with the hint `MJOIN`.

    Raises:
        ArgumentError: `df` is not a DataFrame, an input is not a name, or it is an option.
        pyspark.errors.AnalysisException: a name is no input, or an option has a value that it cannot have.
    """
    options = texts_of(
        {
            "algorithm": algorithm,
            "routes": routes,
            "routes.search": routes_search,
            "routes.start": routes_start,
            "window": window,
            "profilingProbability": profiling_probability,
            "thrashAvoidance": thrash_avoidance,
            "caching": caching,
            "caching.interval": caching_interval,
            "caching.window": caching_window,
            "caching.change": caching_change,
            "constraints": constraints,
            "constraints.detect": constraints_detect,
            "constraints.window": constraints_window,
            "constraints.threshold": constraints_threshold,
            "constraints.retention": constraints_retention,
        }
    )
    frame = require_frame("mjoin", df)
    names = names_of("mjoin", "inputs", inputs)
    for name in names:
        if "=" in name:
            raise ArgumentError(
                f"streamon.mjoin accepts options by keyword, and {name!r} is among its inputs."
            )
    return frame.hint("mjoin", *names, *options)


def stream_window(
    df: DataFrame,
    stream: str,
    *,
    range: str | None = None,  # noqa: A002  the word of CQL
    rows: int | None = None,
    partition_by: str | Sequence[str] | None = None,
) -> DataFrame:
    """Give one input of a join of streams a window: by event time, or by number of rows.

    This changes the answer of the query. Give either `range` or `rows`.

    >>> joined = streamon.stream_window(joined, "c", range="10 MINUTES")  # doctest: +SKIP
    >>> joined = streamon.stream_window(joined, "c", rows=4, partition_by="cid")  # doctest: +SKIP

    Args:
        df: a frame that joins streams.
        stream: the input, by its alias or the name of its table or view.
        range: an interval of event time as Spark reads it, in weeks or less.
        rows: how many of the latest rows are in the window; 1 or more.
        partition_by: with `rows`, a column of the input or several: the window has that many rows for each
            of their values. Names are written as in SQL.

    Returns:
        The frame with the hint `STREAM_WINDOW`.

    Raises:
        ArgumentError: `df` is not a DataFrame; neither or both of `range` and `rows` are given; or one of the
            arguments is of another kind than above.
        pyspark.errors.AnalysisException: the name is no input, the interval cannot be read, or there can be
            no such window.
    """
    frame = require_frame("stream_window", df)
    (name,) = names_of("stream_window", "stream", [stream])
    return frame.hint("stream_window", name, window_of("stream_window", range, rows, partition_by))


def unique(df: DataFrame, stream: str, *columns: str) -> DataFrame:
    """Declare that no two rows of an input of an MJoin have equal values in these columns.

    >>> joined = streamon.unique(joined, "b", "pid")  # doctest: +SKIP

    Args:
        df: a frame that joins streams.
        stream: the input, by its alias or the name of its table or view.
        columns: one column or more, all part of one key by which the input is joined.

    Returns:
        The frame with the hint `UNIQUE`.

    Raises:
        ArgumentError: `df` is not a DataFrame, a name is not text, or there is no column.
        pyspark.errors.AnalysisException: a name is no input or no column, or the columns are not of one key.
    """
    names = names_of("unique", "names", [stream, *columns])
    if not columns:
        raise ArgumentError("streamon.unique accepts one column or more, and none was given.")
    return require_frame("unique", df).hint("unique", *names)


def k_constraint(
    df: DataFrame, kind: Literal["RIDS", "CA", "OAP", "OAC"], parent: str, child: str, k: int
) -> DataFrame:
    """Declare a k-constraint on the key that two inputs of an MJoin share.

    >>> joined = streamon.k_constraint(joined, "RIDS", "c", "b", 1000)  # doctest: +SKIP

    Args:
        df: a frame that joins streams.
        kind: `RIDS`: a child that exists comes at most k rows of its stream after any of its parents.
            `CA`: from the first row of the parent with a key to the last come at most k with other keys.
            `OAP`, `OAC`: a key of the parent, of the child, comes at most k rows after a greater one.
        parent: the input whose rows refer, by its alias or the name of its table or view.
        child: the input that they refer to.
        k: rows of one partition; 0 or more.

    Returns:
        The frame with the hint `K_CONSTRAINT`.

    Raises:
        ArgumentError: `df` is not a DataFrame, a name is not text, or `k` is not a whole number.
        pyspark.errors.AnalysisException: another kind, a negative k, or names that share no single key.
    """
    names = names_of("k_constraint", "kind, parent and child", [kind, parent, child])
    if isinstance(k, bool) or not isinstance(k, int):
        raise wrong("streamon.k_constraint", "k as a whole number", k)
    return require_frame("k_constraint", df).hint("k_constraint", *names, k)
