"""The routes that a query ended with, as `streamon_routes()` tells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.workload import Order, Workload


@dataclass(frozen=True)
class Route:
    """One of the routes of a filter.

    Attributes:
        number: from 0.
        rows: the rows that take it, in words.
        order: of the predicates, by their index in the workload.
        share: of the rows since the routes were adopted, from 0 to 1; None without rows.
        modelled: the share of the time in the filter that all routes together were expected to save.
        measured: the same by the rows that were profiled since, without the time of the tree. Both are None
            where they are not known.
    """

    number: int
    rows: str
    order: Order
    share: float | None
    modelled: float | None
    measured: float | None

    def as_json(self, workload: Workload) -> dict[str, Any]:
        """The route with the names of the predicates."""
        return {
            "route": self.number,
            "rows": self.rows,
            "order": workload.names(self.order),
            "share": _rounded(self.share),
            "modelled_saving": _rounded(self.modelled),
            "measured_saving": _rounded(self.measured),
        }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)


def last_routes(spark: SparkSession, written: Order) -> list[Route]:
    """The routes of the newest batch execution with an adaptive filter, written in this order.

    There are none without `query-mesh`. A session on one machine has one executor, and so no others.
    """
    stats = adaptive.newest(spark)
    index = {r["conjunct"]: written[r["written"]] for r in stats}
    told = spark.sql(f"SELECT * FROM streamon_routes('{stats[0]['query']}') ORDER BY route").collect()
    return [
        Route(
            r["route"],
            r["rows"],
            tuple(index[conjunct] for conjunct in r["conjuncts"]),
            r["share"],
            r["modelled_saving"],
            r["measured_saving"],
        )
        for r in told
    ]
