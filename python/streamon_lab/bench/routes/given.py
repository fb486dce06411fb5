"""Query Mesh with the oracle's routes from the first row on: what it loses where nothing is left to learn.

On the rows as they are, it shares all with the oracle but the tree, the operator, and that rows of different
kinds follow each other. On the oracle's files it shares that, too.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.orders import Orders
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.routes import variants
from streamon_lab.bench.routes.forced import FILTER, by_value
from streamon_lab.bench.routes.learned import last_routes
from streamon_lab.bench.routes.workloads.logs import KINDS

GIVEN = "query-mesh, oracle's routes"
APART = "query-mesh, oracle's routes, kinds apart"
NAMES = (GIVEN, APART)


def of_logs(spark: SparkSession, workload: Workload, orders: Orders) -> list[Variant]:
    """Both variants of logs of three kinds.

    Raises:
        UnexpectedPlanError: a plan has not the operator, or another algorithm.
    """
    conf = {**workload.conf, FILTER: by_value("kind", dict(zip(KINDS, _positions(orders), strict=True)))}
    mesh = variants.ALGORITHMS[variants.QUERY_MESH]
    found = []
    for name, sources in zip(NAMES, ([workload.table], workload.segments), strict=True):
        query = variants.union(spark, workload, sources, [orders.worst] * len(sources), variants.hint(mesh))
        found.append(Variant(name, query, conf))
        variants.check(spark, found[-1], mesh)
    return found


def check(spark: SparkSession, variant: Variant, orders: Orders) -> None:
    """Raises `UnexpectedPlanError` unless the last execution of a variant had these routes.

    With the kinds apart there are several filters, so their routes are not told apart.
    """
    if variant.name == GIVEN:
        found = tuple(route.order for route in last_routes(spark, orders.worst))
        if found != orders.oracle:
            raise UnexpectedPlanError(f"{GIVEN} had the routes {found}, and should have {orders.oracle}")


def _positions(orders: Orders) -> list[Order]:
    """The oracle's orders by where each conjunct is written."""
    return [tuple(orders.worst.index(p) for p in order) for order in orders.oracle]
