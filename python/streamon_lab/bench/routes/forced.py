"""Routes as the internal settings `routes.forced` of filters and of joins have them."""

from __future__ import annotations

from collections.abc import Mapping

from streamon_lab.bench.filters.workload import Order

FILTER = "spark.streamon.filter.routes.forced"
"""The setting of filters. An order has positions of conjuncts as they are written."""

JOIN = "spark.streamon.join.routes.forced"
"""The setting of joins. An order has the other inputs, which count from 0."""


def by_value(column: str, orders: Mapping[str, Order]) -> str:
    """An order for each value of a column. The last value has no test of its own."""
    *first, last = [(value, f"'{','.join(map(str, order))}'") for value, order in orders.items()]
    if not first:
        return last[1]
    tests = " ".join(f"WHEN {column} = '{value}' THEN {order}" for value, order in first)
    return f"CASE {tests} ELSE {last[1]} END"
