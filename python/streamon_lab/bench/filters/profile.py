"""What the cost model needs to know of a workload, found with stock Spark: pass counts and costs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, reduce
from operator import add
from pathlib import Path

from streamon_lab.bench.filters.model import PassCounts
from streamon_lab.bench.filters.workload import Workload, relation
from streamon_lab.bench.stopwatch import Stopwatch

COST_RUNS = 3
CHEAPEST_NANOS = 3.0
"""Differences between two timings below this are noise; no predicate is taken to cost less."""


@dataclass(frozen=True)
class Profile:
    """Exact pass counts of each segment, and nanoseconds of processor time an evaluation takes."""

    segments: tuple[PassCounts, ...]
    costs: tuple[float, ...]

    @property
    def counts(self) -> PassCounts:
        """Counts over all segments."""
        return reduce(add, self.segments)


def profile(watch: Stopwatch, workload: Workload, sample: Path, kept: Path, runs: int = COST_RUNS) -> Profile:
    """Counts of the workload's own rows (kept under `kept`) and costs measured now on a smaller `sample`.

    A cost is that of the fastest of some `runs`.
    """
    segments = tuple(pass_counts(watch, workload, segment, kept) for segment in workload.segments)
    return Profile(segments, predicate_costs(watch, workload, sample, runs))


def pass_counts(watch: Stopwatch, workload: Workload, segment: Path, kept: Path) -> PassCounts:
    """How many rows of a segment pass each subset of the predicates."""
    bits = " + ".join(
        f"CASE WHEN {p.sql} THEN {1 << i} ELSE 0 END" for i, p in enumerate(workload.predicates)
    )
    query = f"SELECT {bits} AS mask, count(*) AS n FROM {relation(segment)} GROUP BY 1"
    file = kept / f"{workload.name}-{hashlib.sha256(query.encode()).hexdigest()[:16]}.json"
    if file.exists():
        histogram = {int(mask): int(n) for mask, n in json.loads(file.read_text()).items()}
    else:
        histogram = {row["mask"]: row["n"] for row in watch.spark.sql(query).collect()}
        kept.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(histogram))
    return PassCounts.from_histogram(len(workload.predicates), histogram)


def predicate_costs(watch: Stopwatch, workload: Workload, sample: Path, runs: int) -> tuple[float, ...]:
    """Time to count the rows for which a predicate is true, less that `without` its own work."""
    rows = watch.run(f"SELECT count(*) FROM {relation(sample)}").answer[0][0]

    @cache
    def least_seconds(condition: str) -> float:
        return _least_cpu_seconds(watch, f"SELECT count_if({condition}) FROM {relation(sample)}", runs)

    costs = []
    for predicate in workload.predicates:
        present = " AND ".join(f"{c} IS NOT NULL" for c in workload.columns_of([predicate]))
        without = predicate.without or present
        nanos = (least_seconds(predicate.sql) - least_seconds(without)) * 1e9 / rows
        costs.append(max(CHEAPEST_NANOS, nanos))
    return tuple(costs)


def _least_cpu_seconds(watch: Stopwatch, query: str, runs: int) -> float:
    watch.run(query)  # compiles the query
    return min(watch.run(query).cpu_seconds for _ in range(runs))
