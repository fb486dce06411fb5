"""The ways to run a workload of several kinds of rows, and the plan that each must have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.adaptive import OPERATOR, UnexpectedPlanError
from streamon_lab.bench.filters.orders import Orders
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.session import settings

STOCK_BEST = "stock, best fixed"
ORACLE = "stock, oracle"
A_GREEDY = "a-greedy"
A_GREEDY_AGAIN = "a-greedy again"
QUERY_MESH = "query-mesh"
ALGORITHMS = {A_GREEDY: "a-greedy", A_GREEDY_AGAIN: "a-greedy", QUERY_MESH: "query-mesh"}
"""Of the variants that adapt. Both algorithms begin with the worst order."""


def variants(spark: SparkSession, workload: Workload, orders: Orders, best: Order) -> list[Variant]:
    """All that a workload is to be run as. With one kind the oracle is the best fixed order.

    The oracle reads each kind from files of its own, so it classifies no row.

    Raises:
        UnexpectedPlanError: a plan has not the operator, or not the algorithm, that it should.
    """
    off = {**workload.conf, **adaptive.OFF}
    found = [Variant(STOCK_BEST, union(spark, workload, [workload.table], [best]), off)]
    if len(workload.segments) > 1:
        found.append(Variant(ORACLE, union(spark, workload, workload.segments, orders.oracle), off))
    for name, algorithm in ALGORITHMS.items():
        text = union(spark, workload, [workload.table], [orders.worst], hint(algorithm))
        found.append(Variant(name, text, workload.conf, written=orders.worst))
    for variant in found:
        check(spark, variant, ALGORITHMS.get(variant.name))
    return found


def hint(algorithm: str) -> str:
    """The hint that chooses an algorithm for a filter."""
    return f"/*+ ADAPTIVE_FILTER('algorithm={algorithm}') */"


def union(
    spark: SparkSession,
    workload: Workload,
    sources: Sequence[Path],
    orders: Sequence[Order],
    hinted: str = "",
) -> str:
    """The query whose rows come from several files, each with a filter in an order of its own."""
    parts = [
        workload.passing(_view(spark, source), [workload.condition(order)], hinted)
        for source, order in zip(sources, orders, strict=True)
    ]
    return workload.answer(" UNION ALL ".join(parts))


def _view(spark: SparkSession, files: Path) -> str:
    """A view of files. Their schema is read here, or the oracle, with more files, would read more of them."""
    name = re.sub(r"\W", "_", f"routes_{files.name}")
    spark.read.parquet(str(files)).createOrReplaceTempView(name)
    return name


def check(spark: SparkSession, variant: Variant, algorithm: str | None, filters: int = 1) -> None:
    """Raises `UnexpectedPlanError` unless a plan has so many adaptive filters; None is for stock Spark."""
    with settings(spark, variant.conf):
        plan = adaptive.plan_of(spark, variant.query)
    expected = OPERATOR if algorithm is None else f"{OPERATOR} [{algorithm}]"
    times = 0 if algorithm is None else filters
    if plan.count(expected) != times:
        raise UnexpectedPlanError(f"{expected} should be in this plan {times} times:\n{plan}")
