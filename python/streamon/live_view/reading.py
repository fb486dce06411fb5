"""Reading a snapshot of a query: from its latest progress, and from StreaMon's tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from pyspark.sql import Row
from pyspark.sql.streaming.query import StreamingQuery

from streamon import scope
from streamon.live_view.snapshot import Batch, Cache, Change, JoinInput, Order, Snapshot, State, Step

LATEST = 5
"""Decisions that are shown."""

Names = Mapping[tuple[str, str], str]
"""By MJoin and the number of an input, its name."""


def read(query: StreamingQuery, previous: Snapshot | None = None) -> Snapshot:
    """Look at a query. The tables are read only when a micro-batch has ended since the previous look.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
    """
    # Asked before the progress: of a query that has ended this is then the last one.
    active = query.isActive
    progress = query.lastProgress
    snapshot = previous or Snapshot(str(query.id), query.name)
    if progress is not None:
        batch = batch_of(progress)
        if batch != snapshot.batch:
            states = tuple(state_of(operator) for operator in progress["stateOperators"])
            snapshot = replace(_with_tables(snapshot, query), batch=batch, states=states)
    return replace(snapshot, active=active, failure=None if active else _failure(query))


def batch_of(progress: Mapping[str, Any]) -> Batch:
    """What the progress of a query says of its latest micro-batch."""
    return Batch(
        progress["batchId"],
        progress["timestamp"],
        progress["batchDuration"],
        progress["numInputRows"] or 0,
        _known(progress["inputRowsPerSecond"]),
        _known(progress["processedRowsPerSecond"]),
    )


def state_of(operator: Mapping[str, Any]) -> State:
    """What the progress of a query says of a stateful operator."""
    return State(
        operator["operatorName"],
        operator["numRowsTotal"],
        operator["memoryUsedBytes"],
        operator["numRowsDroppedByWatermark"],
    )


def _known(rate: float | None) -> float | None:
    return None if rate is None or not math.isfinite(rate) else rate


def _failure(query: StreamingQuery) -> str | None:
    error = query.exception()
    return None if error is None else str(error).strip().split("\n", 1)[0]


def _with_tables(snapshot: Snapshot, query: StreamingQuery) -> Snapshot:
    def rows(table: str) -> list[Row]:
        return scope.call(table, query).collect()

    inputs = rows("streamon_evictions")
    names = {(row.operator, str(row.input)): row.name for row in inputs if row.name}
    decided = sorted(rows("streamon_decisions"), key=lambda row: row.time)
    return replace(
        snapshot,
        orders=orders_of(rows("streamon_stats"), names),
        changes=tuple(change_of(row, names) for row in decided[-LATEST:]),
        caches=tuple(
            Cache(row.operator, row.cache, row.hits, row.misses, row.entries, row.bytes)
            for row in rows("streamon_caches")
        ),
        inputs=tuple(
            JoinInput(
                row.operator,
                row.name or f"input {row.input}",
                row.rows,
                row.dead_rows,
                row.evicted_rows,
                row.cold_rows,
            )
            for row in inputs
        ),
    )


def change_of(row: Row, names: Names) -> Change:
    """A decision, as a row of `streamon_decisions()` has it. Of routes, the rows that take each in words."""

    def steps(order: list[str] | None, routes: list[Row] | None) -> tuple[str, ...]:
        if order is None:
            return tuple(route.rows for route in routes or [])
        return tuple(named(text, row.operator, names) for text in order)

    operator = named(row.operator, row.operator, names)
    return Change(
        row.time,
        operator,
        steps(row.old_order, row.old_routes),
        steps(row.new_order, row.new_routes),
    )


def orders_of(rows: Iterable[Any], names: Names) -> tuple[Order, ...]:
    """The orders in the rows of `streamon_stats()`, which has a row for each step, in written order.

    Two filters of one query may bear one name: each begins with the step that is written first.
    """
    groups: list[list[Any]] = []
    for row in rows:
        if row.written == 0:
            groups.append([])
        groups[-1].append(row)
    return tuple(
        Order(
            named(group[0].operator, group[0].operator, names),
            tuple(
                Step(named(row.conjunct, row.operator, names), row.evaluations, row.drops)
                for row in sorted(group, key=lambda row: cast(int, row.position))
            ),
            group[0].reorders,
        )
        for group in groups
    )


def named(text: str, operator: str, names: Names) -> str:
    """A text of an MJoin's pipeline with the name of an input instead of its number, where that is known."""
    join = operator.rpartition(", rows of input ")[0]
    if not join:
        return text
    return re.sub(
        r"^(|.*, rows of )input (\d+)", lambda at: at[1] + names.get((join, at[2]), f"input {at[2]}"), text
    )
