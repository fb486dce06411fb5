"""The bench of Python functions: one workload from its profile to its times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.orders import Orders, orders_of
from streamon_lab.bench.filters.profile import Profile, profile
from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.python.functions import transfer
from streamon_lab.bench.python.variants import Variant, variants
from streamon_lab.bench.python.workload import PythonWorkload
from streamon_lab.bench.stopwatch import Run, Stopwatch

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """All that was found of one workload. `counted` is by variant, one for each measured run."""

    workload: PythonWorkload
    profile: Profile
    orders: Orders
    timings: dict[str, Timings]
    counted: dict[str, list[adaptive.Counted]]

    def cpu(self, variant: str, to: str) -> float:
        """Median processor time of a variant over that of another."""
        return self.timings[variant].cpu_median / self.timings[to].cpu_median

    def clock(self, variant: str, to: str) -> float:
        """The same by the clock."""
        return self.timings[variant].median / self.timings[to].median


@dataclass(frozen=True)
class Effort:
    """Measured rounds of the variants, and runs by which a cost is measured."""

    rounds: int
    cost_runs: int


def measure(
    watch: Stopwatch, workload: PythonWorkload, sample: Path, kept: Path, effort: Effort, tick: Tick
) -> Measured:
    """Profiles a workload and times all its variants."""
    for function in (*workload.functions, transfer(workload.kind)):
        function.register(watch.spark, workload.kind)
    tick("pass counts and costs")
    found = profile(watch, workload, sample, kept, effort.cost_runs)
    orders = orders_of(found)
    compared = variants(watch.spark, workload, found, orders)
    for variant in compared:
        variant.check(watch.spark)
    calls = [p.call for p in workload.python.values()]
    counted: dict[str, list[adaptive.Counted]] = {v.name: [] for v in compared if v.adaptive}

    def count(variant: Variant, _: Run) -> None:
        if variant.adaptive:
            counted[variant.name].append(adaptive.last_calls(watch.spark, calls))

    timings = interleaved(
        lambda variant: watch.run(variant.query, variant.conf),
        compared,
        effort.rounds,
        after=count,
        tick=tick,
    )
    return Measured(workload, found, orders, timings, counted)
