"""The bench of rules: all ways to run the rules of one workload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.selections.variants import MATCH, SCAN, STOCK, prepare, variants
from streamon_lab.bench.selections.workload import RuleWorkload
from streamon_lab.bench.stopwatch import Stopwatch

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """The times of all variants of one workload."""

    workload: RuleWorkload
    timings: dict[str, Timings]

    @property
    def fastest_stock(self) -> str | None:
        """The way in stock Spark that takes the least time by the clock, if any was measured."""
        stock = [name for name in self.timings if name in STOCK]
        return min(stock, key=lambda name: self.timings[name].median, default=None)

    def speedup(self, variant: str) -> float:
        """Its time by the clock over that of StreaMon."""
        return self.timings[variant].median / self.timings[MATCH].median

    def scans(self, variant: str) -> float:
        """Its time by the clock in multiples of that of reading the columns."""
        return self.timings[variant].median / self.timings[SCAN].median


def measure(watch: Stopwatch, workload: RuleWorkload, rounds: int, tick: Tick) -> Measured:
    """Times all variants of a workload."""
    tick("rows and rules")
    prepare(watch.spark, workload)
    timings = interleaved(
        lambda variant: watch.run(variant.query, variant.conf),
        variants(workload),
        rounds,
        agrees=lambda variant: variant.name != SCAN,
        tick=tick,
    )
    return Measured(workload, timings)
