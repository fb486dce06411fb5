"""Measures a filter of the bench of routes, from its profile to its times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from streamon_lab.bench.filters import adaptive, model
from streamon_lab.bench.filters.orders import Orders, optimum_evaluations, optimum_nanos, orders_of
from streamon_lab.bench.filters.pilot import best_fixed
from streamon_lab.bench.filters.profile import Profile, profile
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.routes import given, variants
from streamon_lab.bench.routes.classifier import Classifier, measure_classifier
from streamon_lab.bench.routes.compared import Compared
from streamon_lab.bench.routes.learned import Route, last_routes
from streamon_lab.bench.routes.workloads.logs import THREE_KINDS
from streamon_lab.bench.stopwatch import Run, Stopwatch

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Effort:
    """Measured rounds of the variants and of the pilot run, and runs by which a cost is measured."""

    rounds: int
    pilot_rounds: int
    cost_runs: int


@dataclass(frozen=True)
class Prize:
    """What the oracle could win over the best fixed order, by the model.

    Attributes:
        evaluations: conjuncts that the best fixed order evaluates, over those of the oracle.
        nanos: the same of the time that they take.
    """

    evaluations: float
    nanos: float


@dataclass(frozen=True)
class MeasuredFilter(Compared):
    """All that was found of one filter. `counted` is by variant, one for each run.

    `routes` are those that the last run of Query Mesh ended with.
    """

    workload: Workload
    profile: Profile
    orders: Orders
    best_fixed: Order
    timings: dict[str, Timings]
    jvm_seconds: dict[str, list[float]]
    counted: dict[str, list[adaptive.Counted]]
    routes: list[Route] = field(default_factory=list)
    classifier: Classifier | None = None

    @property
    def name(self) -> str:
        """That of the workload."""
        return self.workload.name

    @property
    def rows(self) -> int:
        """Those of the table."""
        return self.profile.counts.rows

    @property
    def prize(self) -> Prize:
        """What the oracle could win."""
        counts = self.profile.counts
        return Prize(
            counts.evaluations(self.best_fixed) / optimum_evaluations(self.profile, self.orders),
            model.cost(counts, self.profile.costs, self.best_fixed)
            / optimum_nanos(self.profile, self.orders),
        )

    def evaluated(self, variant: str) -> int:
        """Conjuncts: counted, and exact by the model for stock Spark and with the oracle's routes."""
        if variant in self.counted:
            return round(statistics.median(sum(c.evaluations) for c in self.counted[variant]))
        if variant in (variants.ORACLE, *given.NAMES):
            return optimum_evaluations(self.profile, self.orders)
        return self.profile.counts.evaluations(self.best_fixed)

    def learned(self, variant: str) -> Sequence[adaptive.Counted]:
        """The counts of each run of a variant."""
        return self.counted.get(variant, [])


def measure_filter(
    watch: Stopwatch, workload: Workload, sample: Path, kept: Path, effort: Effort, tell: Tell, tick: Tell
) -> MeasuredFilter:
    """Profiles a workload, tells what the oracle could win, and times all variants.

    On `three-kinds` it measures what the tree takes, too, and Query Mesh with the oracle's routes.

    Args:
        watch: runs the queries.
        workload: what is measured.
        sample: a smaller table, on which costs are measured.
        kept: the folder for the pass counts.
        effort: how often all is run.
        tell: is told of the prize before any variant runs.
        tick: is told what is running.
    """
    tick("pass counts and costs")
    found = profile(watch, workload, sample, kept, effort.cost_runs)
    orders = orders_of(found)
    tick("settling the best order")
    best = best_fixed(watch, workload, orders, adaptive.OFF, effort.pilot_rounds)
    measured = MeasuredFilter(workload, found, orders, best, {}, {}, {})
    tell(
        f"{workload.name}: the oracle could win a factor of {measured.prize.evaluations:.2f} in filters "
        f"evaluated, and of {measured.prize.nanos:.2f} in their time"
    )
    compared = variants.variants(watch.spark, workload, orders, best)
    in_detail = workload.name == THREE_KINDS.name
    if in_detail:
        compared += given.of_logs(watch.spark, workload, orders)

    def after(variant: Variant, run: Run) -> None:
        measured.jvm_seconds.setdefault(variant.name, []).append(run.jvm_cpu_seconds)
        if variant.written is not None:
            seen = adaptive.last_execution(watch.spark, variant.written)
            measured.counted.setdefault(variant.name, []).append(seen)
            if variant.name == variants.QUERY_MESH:
                measured.routes[:] = last_routes(watch.spark, variant.written)
        given.check(watch.spark, variant, optimum_evaluations(found, orders))

    measured.timings.update(
        interleaved(lambda v: watch.run(v.query, v.conf), compared, effort.rounds, after=after, tick=tick)
    )
    if not in_detail:
        return measured
    rows = found.counts.rows
    return replace(measured, classifier=measure_classifier(watch, workload, rows, effort.rounds, tick))
