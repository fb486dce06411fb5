"""Measures a workload of joins: all its variants, interleaved, with equal answers."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from streamon_lab.bench.measure import Timings, apart, interleaved
from streamon_lab.bench.streaming.run import JoinRun
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import AGAIN, Engine, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

Tick = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """All that was found of one workload: the measured runs and the warm-up of each variant, by its name."""

    workload: JoinWorkload
    timings: dict[str, Timings]
    runs: dict[str, list[JoinRun]]
    warm_ups: dict[str, JoinRun]

    def seconds(self, variant: str) -> float:
        """Median time of a variant."""
        return self.timings[variant].median

    def median(self, variant: str, figure: Callable[[JoinRun], float]) -> float:
        """Median over the runs of a variant."""
        return statistics.median(figure(run) for run in self.runs[variant])

    def best(self, engine: Engine) -> str | None:
        """The fastest variant of an engine; none when the workload is not for it."""
        names = [v.name for v in self.workload.variants if v.engine is engine]
        return min(names, key=self.seconds, default=None)

    def controls(self) -> list[float]:
        """How far each variant that was measured twice is apart from itself."""
        return [
            apart(self.seconds(again) / self.seconds(name))
            for name, again in AGAIN.items()
            if name in self.timings and again in self.timings
        ]


def measure(runner: Runner, workload: JoinWorkload, rounds: int, tick: Tick) -> Measured:
    """Times all variants of a workload."""
    runs: dict[str, list[JoinRun]] = {v.name: [] for v in workload.variants}
    warm_ups: dict[str, JoinRun] = {}

    def warm_up(variant: Variant) -> JoinRun:
        warm_ups[variant.name] = runner.warm_up(workload, variant)
        return warm_ups[variant.name]

    timings = interleaved(
        lambda variant: runner.run(workload, variant),
        workload.variants,
        rounds,
        warm_up=warm_up,
        after=lambda variant, run: runs[variant.name].append(run),
        agrees=lambda variant: not variant.loses,
        tick=tick,
    )
    return Measured(workload, timings, runs, warm_ups)
