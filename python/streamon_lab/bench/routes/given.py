"""Query Mesh with the oracle's routes from the first row on: what it loses where nothing is left to learn.

On the oracle's files, the operator and its tree are all that it has besides the oracle. On the rows as they
are, rows of different kinds follow each other, in fewer tasks.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.orders import Orders
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.routes import variants
from streamon_lab.bench.routes.classifier import forced
from streamon_lab.bench.routes.forced import FILTER

GIVEN = "query-mesh, oracle's routes"
APART = "query-mesh, oracle's routes, kinds apart"
NAMES = (GIVEN, APART)


def of_logs(spark: SparkSession, workload: Workload, orders: Orders) -> list[Variant]:
    """Both variants of logs of three kinds.

    Raises:
        UnexpectedPlanError: a filter has not the operator, or another algorithm.
    """
    conf = {**workload.conf, FILTER: forced(_positions(orders))}
    mesh = variants.ALGORITHMS[variants.QUERY_MESH]
    found = []
    for name, sources in zip(NAMES, ([workload.table], workload.segments), strict=True):
        query = variants.union(spark, workload, sources, [orders.worst] * len(sources), variants.hint(mesh))
        found.append(Variant(name, query, conf))
        variants.check(spark, found[-1], mesh, filters=len(sources))
    return found


def check(spark: SparkSession, variant: Variant, optimum: int) -> None:
    """Raises `UnexpectedPlanError` unless the last execution evaluated as many conjuncts as the oracle."""
    if variant.name in NAMES:
        found = sum(row["evaluations"] for row in adaptive.newest(spark))
        if found != optimum:
            raise UnexpectedPlanError(
                f"{variant.name} evaluated {found} conjuncts, and {optimum} by the oracle's routes"
            )


def _positions(orders: Orders) -> tuple[Order, ...]:
    """The oracle's orders by where each conjunct is written."""
    return tuple(tuple(orders.worst.index(p) for p in order) for order in orders.oracle)
