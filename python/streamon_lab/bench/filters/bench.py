"""The filter bench: one workload from its profile to its ratios."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.orders import Orders, orders_of
from streamon_lab.bench.filters.pilot import best_fixed
from streamon_lab.bench.filters.profile import Profile, profile
from streamon_lab.bench.filters.variant import Variant, stock
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.stopwatch import Run, Stopwatch

STOCK_BEST = "stock, best fixed"
STOCK_AGAIN = "stock, best fixed again"
STOCK_WORST = "stock, worst"
STOCK_CHEAPEST = "stock, cheapest first"
STOCK_MARGINAL = "stock, by marginals"
ORACLE = "stock, oracle"
ADAPTIVE_WORST = "adaptive, written worst"
ADAPTIVE_BEST = "adaptive, written best"
UNHINTED = "no hint, written worst"

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """All that was found of one workload. `counted` is by variant, one for each measured run."""

    workload: Workload
    profile: Profile
    orders: Orders
    best_fixed: Order
    timings: dict[str, Timings]
    counted: dict[str, list[adaptive.Counted]]

    def ratio(self, variant: str, to: str = STOCK_BEST) -> float:
        """Median time of a variant over that of another."""
        return self.timings[variant].median / self.timings[to].median

    def cpu_ratio(self, variant: str, to: str = STOCK_BEST) -> float:
        """Median processor time of a variant's tasks over that of another."""
        return self.timings[variant].cpu_median / self.timings[to].cpu_median


@dataclass(frozen=True)
class Bench:
    """What all workloads share. Without `streamon` only stock Spark is measured: the prize."""

    watch: Stopwatch
    kept: Path
    rounds: int
    streamon: bool

    def measure(self, workload: Workload, sample: Path, tick: Tick) -> Measured:
        """Profiles a workload, settles its best fixed order, and times all its variants."""
        tick("pass counts and costs")
        found = profile(self.watch, workload, sample, self.kept)
        orders = orders_of(found)
        if self.streamon:
            orders = replace(orders, cheapest=adaptive.static_order(self.watch, workload, orders.worst))
        tick("settling the best order")
        best = best_fixed(self.watch, workload, orders, self._off())
        counted: dict[str, list[adaptive.Counted]] = {}

        def count(variant: Variant, _: Run) -> None:
            if variant.written is not None:
                seen = adaptive.last_execution(self.watch.spark, variant.written)
                counted.setdefault(variant.name, []).append(seen)

        variants = self._variants(workload, orders, best)
        timings = interleaved(self._run, variants, self.rounds, after=count, tick=tick)
        return Measured(workload, found, orders, best, timings, counted)

    def _run(self, variant: Variant) -> Run:
        return self.watch.run(variant.query, variant.conf)

    def _variants(self, workload: Workload, orders: Orders, best: Order) -> list[Variant]:
        worst = orders.worst
        variants = [
            self._stock(STOCK_BEST, workload, best),
            self._stock(STOCK_AGAIN, workload, best),
            replace(self._stock(STOCK_WORST, workload, worst), sparse=not workload.all_cheap),
        ]
        for name, order in ((STOCK_CHEAPEST, orders.cheapest), (STOCK_MARGINAL, orders.marginal)):
            if order != best:
                variants.append(self._stock(name, workload, order))
        if len(workload.segments) > 1:
            query = workload.segmented_query(orders.oracle)
            variants.append(Variant(ORACLE, query, {**workload.conf, **self._off()}))
        if self.streamon:
            for name, order in ((ADAPTIVE_WORST, worst), (ADAPTIVE_BEST, best)):
                query = workload.query(order, adaptive.HINT)
                adaptive.check_plan(self.watch.spark, query, adaptive=True)
                variants.append(Variant(name, query, workload.conf, written=order))
            if workload.all_cheap:
                query = workload.query(worst)
                adaptive.check_plan(self.watch.spark, query, adaptive=False)
                variants.append(Variant(UNHINTED, query, workload.conf))
        return variants

    def _stock(self, name: str, workload: Workload, order: Order) -> Variant:
        return stock(name, workload, order, self._off())

    def _off(self) -> dict[str, str]:
        return adaptive.OFF if self.streamon else {}
