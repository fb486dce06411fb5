"""The figures by which constraints are judged. Each ratio is with constraints over without."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

from streamon_lab.bench.constraints.variants import APPROXIMATE, EXACT, OBSERVE, OFF, OFF_AGAIN
from streamon_lab.bench.measure import apart
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.run import Kept
from streamon_lab.bench.targets import Target

TARGETS = {
    "network_memory_ratio": Target("<=", 0.01),
    "linear_road_memory_ratio": Target("<=", 0.15),
    "linear_road_time_ratio": Target("<=", 1.0),
    "observe_overhead": Target("<=", 1.05),
    "missed_share_worst": Target("<", 0.02),
    "missed_exact": Target("<=", 0),
}
"""What is asked of the figures of the summary."""

NETWORK, ROAD, NOTHING, CHANGING = "network", "linear-road-", "obeys-nothing", "k-"

Figure = Callable[[Kept], int]


class ExtraResultsError(AssertionError):
    """A variant that may miss results gave more than there are."""


def memory(kept: Kept) -> int:
    """Bytes in memory: rows, monitors and key filters."""
    return kept.bytes


def rows_in_memory(kept: Kept) -> int:
    """Rows of the state that are not in the store alone."""
    return kept.rows - kept.cold


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by; None for what was not measured."""
    by_name = {m.workload.name: m for m in measured}
    network, nothing = by_name.get(NETWORK), by_name.get(NOTHING)
    road = [m for name, m in by_name.items() if name.startswith(ROAD)]
    changing = [m for name, m in by_name.items() if name.startswith(CHANGING)]
    controls = [control for m in measured for control in m.controls()]
    cpu_controls = [apart(cpu_ratio(m, OFF_AGAIN.name)) for m in measured if OFF_AGAIN.name in m.runs]
    return {
        "network_memory_ratio": _worst(_known(network), lambda m: ratio(m, APPROXIMATE.name)),
        "network_peak_ratio": _worst(_known(network), lambda m: ratio(m, APPROXIMATE.name, steady=False)),
        "network_exact_memory_ratio": _worst(_known(network), lambda m: ratio(m, EXACT.name)),
        "linear_road_memory_ratio": _worst(road, lambda m: ratio(m, APPROXIMATE.name)),
        "linear_road_time_ratio": _worst(road, lambda m: time_ratio(m, APPROXIMATE.name)),
        "linear_road_cpu_ratio": _worst(road, lambda m: cpu_ratio(m, APPROXIMATE.name)),
        "linear_road_exact_memory_ratio": _worst(road, lambda m: ratio(m, EXACT.name)),
        "linear_road_exact_time_ratio": _worst(road, lambda m: time_ratio(m, EXACT.name)),
        "observe_overhead": _worst(_known(nothing), lambda m: time_ratio(m, OBSERVE.name)),
        "observe_cpu_overhead": _worst(_known(nothing), lambda m: cpu_ratio(m, OBSERVE.name)),
        "observe_memory_ratio": _worst(_known(nothing), lambda m: ratio(m, OBSERVE.name)),
        "missed_share_worst": _worst(changing, lambda m: missed(m, APPROXIMATE.name) / results(m, OFF.name)),
        "missed_exact": max((missed(m, EXACT.name) for m in measured if EXACT.name in m.runs), default=None),
        "noise_floor": round(max(controls), 3) if controls else None,
        "cpu_noise_floor": round(max(cpu_controls), 3) if cpu_controls else None,
    }


def _known(m: Measured | None) -> list[Measured]:
    return [] if m is None else [m]


def _worst(measured: Sequence[Measured], figure: Callable[[Measured], float]) -> float | None:
    """The greatest; None where there is none."""
    return round(max(figure(m) for m in measured), 4) if measured else None


def time_ratio(m: Measured, variant: str) -> float:
    """Time over that of the same operator without constraints."""
    return m.seconds(variant) / m.seconds(OFF.name)


def cpu_ratio(m: Measured, variant: str) -> float:
    """The same of the processor time of tasks, in which the fixed cost of a micro-batch is not."""
    return m.timings[variant].cpu_median / m.timings[OFF.name].cpu_median


def ratio(m: Measured, variant: str, figure: Figure = memory, *, steady: bool = True) -> float:
    """Memory, or rows, over those without constraints: the steady ones, or else the peaks."""
    of = steady_of if steady else peak_of
    return of(m, variant, figure) / max(of(m, OFF.name, figure), 1)


def steady_of(m: Measured, variant: str, figure: Figure) -> float:
    """The mean over the micro-batches after those in which the state grows; the median over runs."""
    return m.median(variant, lambda run: statistics.fmean(map(figure, run.kept[m.workload.growing :])))


def peak_of(m: Measured, variant: str, figure: Figure) -> float:
    """The most at the end of any micro-batch; the median over runs."""
    return m.median(variant, lambda run: max(map(figure, run.kept)))


def results(m: Measured, variant: str) -> int:
    """The fewest results of any run."""
    return min(run.answer.results for run in m.runs[variant])


def missed(m: Measured, variant: str) -> int:
    """The most results that a run is without.

    Raises:
        ExtraResultsError: it has some that there are not.
    """
    there = results(m, OFF.name)
    if any(run.answer.results > there for run in m.runs[variant]):
        raise ExtraResultsError(f"{m.workload.name}, {variant}: more results than without constraints")
    return there - results(m, variant)
