"""The figures by which the evaluation of many rules is judged. They are by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamon_lab.bench.measure import apart
from streamon_lab.bench.selections.bench import Measured
from streamon_lab.bench.selections.variants import AGAIN, FILTER, MATCH
from streamon_lab.bench.selections.workload import OFTEN, RARE, name_of
from streamon_lab.bench.targets import Target

TARGETS = {
    "speedup_10": Target(">=", 0.95),
    "speedup_100": Target(">=", 2.5),
    "speedup_1000": Target(">=", 10.0),
    "speedup_array_1000": Target(">=", 60.0),
    "growth_10000": Target("<=", 3.0),
}
"""What is asked of the figures of the summary."""


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by, each the worse of the two shares; None for what was not measured."""
    by_name = {m.workload.name: m for m in measured}

    def pair(count: int) -> list[Measured]:
        return [by_name[n] for n in (name_of(count, OFTEN), name_of(count, RARE)) if n in by_name]

    found: dict[str, Any] = {}
    for count in (10, 100, 1_000):
        over = [m.speedup(m.fastest_stock) for m in pair(count) if m.fastest_stock is not None]
        found[f"speedup_{count}"] = _rounded(min(over, default=None))
    found["speedup_array_1000"] = _rounded(min((m.speedup(FILTER) for m in pair(1_000)), default=None))
    grown = [
        large.timings[MATCH].median / small.timings[MATCH].median
        for small, large in zip(pair(1_000), pair(10_000), strict=False)
    ]
    found["growth_10000"] = _rounded(max(grown, default=None))
    found["growth_10000_rare"] = _rounded(grown[-1] if grown else None)
    noise = [apart(m.speedup(AGAIN)) for m in measured]
    found["noise_floor"] = _rounded(max(noise, default=None))
    return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
