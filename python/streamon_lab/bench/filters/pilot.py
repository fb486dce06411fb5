"""The best fixed order: the fastest in a pilot run of those that the model has near the best."""

from __future__ import annotations

from collections.abc import Mapping

from streamon_lab.bench.filters.orders import Orders
from streamon_lab.bench.filters.variant import stock
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.measure import interleaved
from streamon_lab.bench.stopwatch import Stopwatch

PILOT_ROUNDS = 2


def best_fixed(
    watch: Stopwatch,
    workload: Workload,
    orders: Orders,
    off: Mapping[str, str],
    rounds: int = PILOT_ROUNDS,
) -> Order:
    """The order in which stock Spark, which is so by the settings `off`, takes the least processor time."""
    candidates = dict.fromkeys((*orders.near, orders.greedy, orders.cheapest, orders.marginal))
    variants = {str(o): stock(str(o), workload, o, off) for o in candidates}
    timings = interleaved(lambda v: watch.run(v.query, v.conf), list(variants.values()), rounds)
    return min(candidates, key=lambda o: timings[str(o)].cpu_median)
