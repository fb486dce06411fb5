"""The figures by which the evaluation of many rules is judged. They are by the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from streamon_lab.bench.measure import apart
from streamon_lab.bench.selections.bench import Measured
from streamon_lab.bench.selections.engines.lanes import ENGINES
from streamon_lab.bench.selections.rows import Data
from streamon_lab.bench.selections.variants import (
    AGAIN,
    BEST,
    COUNT_IF,
    FILTER,
    FILTERS,
    INDEX_JOIN,
    LEAST_SHARED,
    MATCH,
    SHARED,
    UNION,
    UNSTAGED,
)
from streamon_lab.bench.selections.workload import OFTEN, RARE, STREAM_COUNTS, name_of, stream_of
from streamon_lab.bench.targets import Target

TARGETS = {
    "speedup_10": Target(">=", 0.95),
    "speedup_100": Target(">=", 2.5),
    "speedup_1000": Target(">=", 10.0),
    "speedup_array_1000": Target(">=", 60.0),
    "growth_10000": Target("<=", 3.0),
    "ratio_to_index": Target("<=", 1.5),
    "order_regret": Target("<=", 1.1),
    "memory_per_rule_bytes": Target("<=", 2048),
}
"""What is asked of the figures of the summary."""

SHARED_KEYS = {FILTER: "array", UNION: "query", FILTERS: "union", COUNT_IF: "count_if"}
"""Names of the shared forms in figures."""

WITH_ENGINES = (10, 100, 1_000)
"""Rules of the figures against an index in SQL, and other engines."""


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by, each the worst of its workloads; None for what was not measured."""
    by_name = {m.workload.name: m for m in measured}

    def pair(count: int) -> list[Measured]:
        return _present(by_name, (name_of(count, OFTEN), name_of(count, RARE)))

    found: dict[str, Any] = {f"speedup_{n}": _least(map(_over_stock, pair(n))) for n in (1, 10, 100, 1_000)}
    found["speedup_array_1000"] = _least(_over(m, form) for m in pair(1_000) for form in (FILTER, UNSTAGED))
    grown = {share: _grown(by_name, share) for share in (OFTEN, RARE)}
    found["growth_10000"] = _greatest(grown.values())
    found["growth_10000_rare"] = _rounded(grown[RARE])
    found["ratio_to_index"] = _greatest(m.to_index for m in measured if m.workload.data is Data.EVEN)
    found.update(_orders(by_name))
    found["memory_per_rule_bytes"] = _greatest(
        m.set_bytes / m.workload.count for m in measured if m.set_bytes is not None
    )
    for form, lane in SHARED.items():
        found[f"speedup_shared_{SHARED_KEYS[form]}_{LEAST_SHARED}"] = _least(
            m.timings[form].median / m.timings[lane].median for m in pair(LEAST_SHARED) if lane in m.timings
        )
    found["speedup_stream"] = _least(map(_over_stock, _present(by_name, map(stream_of, STREAM_COUNTS))))
    for name, lane in (("index_join", INDEX_JOIN), *((_key(engine), engine) for engine in ENGINES)):
        for n in WITH_ENGINES:
            found[f"speedup_{name}_{n}"] = _least(_over(m, lane) for m in pair(n))
    found["noise_floor"] = _greatest(apart(m.speedup(AGAIN)) for m in measured if AGAIN in m.timings)
    return found


def _orders(by_name: dict[str, Measured]) -> dict[str, float | None]:
    """The learned order over fixed ones.

    The oracle of rows that drift is the best order of each half. The workload of a half has as many rows as
    that of the whole, so it is the mean of both.
    """
    halves = _present(by_name, (Data.SKEWED.value, Data.SWAPPED.value))
    drift = by_name.get(Data.DRIFT.value)
    oracle = fmean(m.timings[BEST].median for m in halves) if len(halves) == 2 else None
    return {
        "order_regret": _greatest(_match(m) / m.timings[BEST].median for m in halves),
        "drift_ratio": _rounded(_match(drift) / oracle if drift and oracle else None),
        "drift_to_best_fixed": _rounded(_match(drift) / drift.timings[BEST].median if drift else None),
    }


def _grown(by_name: dict[str, Measured], share: float) -> float | None:
    small, large = by_name.get(name_of(1_000, share)), by_name.get(name_of(10_000, share))
    return _match(large) / _match(small) if small and large else None


def _present(by_name: dict[str, Measured], names: Iterable[str]) -> list[Measured]:
    return [by_name[name] for name in names if name in by_name]


def _match(m: Measured) -> float:
    return m.timings[MATCH].median


def _over_stock(m: Measured) -> float | None:
    return None if m.fastest_stock is None else m.speedup(m.fastest_stock)


def _over(m: Measured, lane: str) -> float | None:
    return m.speedup(lane) if lane in m.timings else None


def _key(engine: str) -> str:
    return engine.lower().replace("-", "_")


def _least(values: Iterable[float | None]) -> float | None:
    return _rounded(min((v for v in values if v is not None), default=None))


def _greatest(values: Iterable[float | None]) -> float | None:
    return _rounded(max((v for v in values if v is not None), default=None))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
