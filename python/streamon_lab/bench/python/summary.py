"""The figures by which filters on Python functions are judged. They are of processor time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from streamon_lab.bench.measure import apart
from streamon_lab.bench.python import variants
from streamon_lab.bench.python.bench import Measured
from streamon_lab.bench.python.workloads import FLIP, ONE, TRIVIAL
from streamon_lab.bench.targets import Target

TARGETS = {
    "speedup_arrow": Target(">=", 2.2),
    "speedup_pickled": Target(">=", 2.5),
    "speedup_lenient": Target(">=", 1.3),
    "speedup_vectorised": Target(">=", 1.2),
    "regret_to_oracle": Target("<=", 1.15),
    "drift_vs_oracle": Target("<=", 1.1),
    "control_overhead": Target("<=", 1.05),
}
"""What is asked of the figures of the summary."""

SPEEDUPS = {
    "speedup_arrow": ("arrow", "arrow-udf"),
    "speedup_pickled": ("pickled",),
    "speedup_lenient": ("lenient",),
    "speedup_vectorised": ("vectorised-pandas", "vectorised-arrow"),
    "speedup_flights": ("flights",),
    "speedup_mixed": ("mixed",),
    "speedup_wide": ("wide",),
}
"""Each is the least of these workloads."""
CONTROLS = (ONE, TRIVIAL)
ADAPTIVE = (variants.ADAPTIVE_WORST, variants.ADAPTIVE_BEST)
ORACLES = (variants.BY_HAND, variants.BY_HAND_FRONT)

Ratio = Callable[[Measured, str, str], float]
"""A variant over another, in processor time or by the clock."""


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by, then the same by the clock; None for what was not measured."""
    regrets = {m.workload.name: over_oracle(m, Measured.cpu) for m in _with_oracle(measured)}
    worst = max(regrets, key=lambda name: regrets[name], default=None)
    by_clock = figures(measured, Measured.clock).items()
    return {
        **figures(measured, Measured.cpu),
        "regret_to_oracle_workload": worst,
        **{f"{name}_clock": value for name, value in by_clock},
    }


def figures(measured: Sequence[Measured], ratio: Ratio) -> dict[str, float | None]:
    """The figures by one of the two times."""
    by_name = {m.workload.name: m for m in measured}
    found: dict[str, float | None] = {}
    for name, workloads in SPEEDUPS.items():
        gains = [speedup(by_name[w], ratio) for w in workloads if w in by_name]
        found[name] = _rounded(min(gains, default=None))
    drift = by_name.get(FLIP)
    static = [over(m, variants.STATIC, ratio) for m in _with_oracle(measured)]
    controls = [over(by_name[c], variants.STOCK, ratio) for c in CONTROLS if c in by_name]
    noise = [apart(ratio(m, variants.STOCK_AGAIN, variants.STOCK)) for m in measured]
    return {
        **found,
        "regret_to_oracle": _rounded(
            max((over_oracle(m, ratio) for m in _with_oracle(measured)), default=None)
        ),
        "regret_to_static": _rounded(max(static, default=None)),
        "drift_vs_oracle": None if drift is None else _rounded(over(drift, variants.BY_HAND, ratio)),
        "control_overhead": _rounded(max(controls, default=None)),
        "noise_floor": _rounded(max(noise, default=None)),
    }


def over(m: Measured, variant: str, ratio: Ratio) -> float:
    """Adaptive over another variant, from whichever written order is the slower."""
    return max(ratio(m, name, variant) for name in (*ADAPTIVE, variants.HINTED) if name in m.timings)


def speedup(m: Measured, ratio: Ratio) -> float:
    """Stock over adaptive, from whichever written order is the slower."""
    return 1 / over(m, variants.STOCK, ratio)


def over_oracle(m: Measured, ratio: Ratio) -> float:
    """Adaptive over the best that was made by hand."""
    return max(over(m, oracle, ratio) for oracle in ORACLES if oracle in m.timings)


def _with_oracle(measured: Sequence[Measured]) -> list[Measured]:
    """Controls have nothing to find, and the order of the flip changes."""
    return [m for m in measured if m.workload.name not in (*CONTROLS, FLIP)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
