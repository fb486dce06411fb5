"""The figures by which caches are judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamon_lab.bench.caching.variants import ADAPTIVE, GLOBAL, PLAIN, PLAIN_AGAIN, PREFIX, STATIC
from streamon_lab.bench.caching.workloads import SHORT
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.targets import Target

TARGETS = {
    "gain_where_pays": Target(">=", 1.5),
    "worst_ratio": Target(">=", 0.97),
    "burst_vs_best_static": Target(">=", 1.0),
    "nested_loop_gain": Target(">=", 2.0),
}
"""What is asked of the figures of the summary."""

PAYING = ("rst", "chain-4")
NOT_PAYING = ("rst-unique", "one-key-4")
POINTS = "point-"
"""Of one key; by the lab they do not pay there in processor time."""
RANGES = "range-"
BURST = "burst"


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by; None for what was not measured."""
    by_name = {m.workload.name: m for m in measured}
    paying = [best_gain(by_name, name) for name in PAYING if has(by_name, name)]
    not_paying = [m for n, m in by_name.items() if n in NOT_PAYING or n.startswith(POINTS)]
    idle = [(m, v.name) for m in not_paying for v in ADAPTIVE]
    ranges = [gain(by_name, n, PREFIX.name) for n in by_name if n.startswith(RANGES) and has(by_name, n)]
    controls = [apart for m in measured for apart in m.controls()]
    return {
        "gain_where_pays": least(paying),
        "worst_ratio": least([whole_gain(m, name) for m, name in idle]),
        "worst_ratio_of_control": least([whole_gain(m, PLAIN_AGAIN.name) for m in not_paying]),
        "worst_cpu_ratio": least([cpu_gain(m, name) for m, name in idle]),
        "burst_vs_best_static": burst_ratio(by_name.get(BURST)),
        "nested_loop_gain": least(ranges),
        "nested_loop_gain_by_window": ranges,
        "noise_floor": round(max(controls), 3) if controls else None,
    }


def least(found: Sequence[float | None]) -> float | None:
    """The least; None where one is not known, or there is none."""
    known = [x for x in found if x is not None]
    return round(min(known), 3) if known and len(known) == len(found) else None


def has(by_name: dict[str, Measured], name: str) -> bool:
    """Whether a workload was measured with its shorter run."""
    return name in by_name and name + SHORT in by_name


def row_cost(by_name: dict[str, Measured], name: str, variant: str) -> float:
    """Microseconds that one more row takes: the longer run less the shorter."""
    short, long = by_name[name + SHORT], by_name[name]
    if variant not in short.timings:
        return float("nan")
    return (long.seconds(variant) - short.seconds(variant)) / (long.workload.rows - short.workload.rows) * 1e6


def gain(by_name: dict[str, Measured], name: str, variant: str) -> float | None:
    """Rows a second with caches over those without.

    A row that costs less than the MJoin and its control are apart counts with that. None where a row of the
    MJoin is not above it.
    """
    without, again = (row_cost(by_name, name, v.name) for v in (PLAIN, PLAIN_AGAIN))
    noise = abs(without - again)
    with_caches = max(row_cost(by_name, name, variant), noise)
    return round(without / with_caches, 3) if without > noise and with_caches > 0 else None


def best_gain(by_name: dict[str, Measured], name: str) -> float | None:
    """Of the two modes."""
    gains = [g for g in (gain(by_name, name, v.name) for v in ADAPTIVE) if g is not None]
    return max(gains, default=None)


def whole_gain(m: Measured, variant: str) -> float:
    """The same in whole times."""
    return round(m.seconds(PLAIN.name) / m.seconds(variant), 3)


def cpu_gain(m: Measured, variant: str) -> float:
    """The same in processor time."""
    return round(m.timings[PLAIN.name].cpu_median / m.timings[variant].cpu_median, 3)


def burst_ratio(m: Measured | None) -> float | None:
    """Speed of the adaptive plan over that of the faster static one."""
    if m is None:
        return None
    return round(min(m.seconds(v.name) for v in STATIC) / m.seconds(GLOBAL.name), 3)
