"""Measures a join of the bench of routes."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession

from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.routes.compared import Compared
from streamon_lab.bench.routes.joins import kinds
from streamon_lab.bench.routes.joins.variants import check
from streamon_lab.bench.routes.joins.workload import KindsJoin
from streamon_lab.bench.streaming.run import JoinRun
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import Variant

Tell = Callable[[str], None]


@dataclass(frozen=True)
class MeasuredJoin(Compared):
    """All that was found of one join. `runs` are the measured runs by variant."""

    workload: KindsJoin
    timings: dict[str, Timings]
    jvm_seconds: dict[str, list[float]]
    runs: dict[str, list[JoinRun]]

    @property
    def name(self) -> str:
        """That of the workload."""
        return self.workload.name

    @property
    def rows(self) -> int:
        """Those of all streams."""
        return self.workload.join.rows

    @property
    def prize(self) -> float:
        """Look-ups of the best fixed order over those of the oracle, by the model."""
        of = self.workload.kinds
        return kinds.probes(of, kinds.best_fixed(of)) / kinds.optimum(of)

    def evaluated(self, variant: str) -> int:
        """Look-ups."""
        return round(statistics.median(run.probes for run in self.runs[variant]))

    def learned(self, variant: str) -> Sequence[JoinRun]:
        """The runs of a variant. The oracle too samples rows of the other streams."""
        return self.runs[variant]


def measure_join(
    spark: SparkSession, workload: KindsJoin, checkpoints: Path, rounds: int, tell: Tell, tick: Tell
) -> MeasuredJoin:
    """Tells what the oracle could win, and times all variants.

    Args:
        spark: runs the queries.
        workload: what is measured.
        checkpoints: the folder for checkpoints, which is removed at the end.
        rounds: measured runs of each variant, after one to warm it up.
        tell: is told of the prize before any variant runs.
        tick: is told what is running.

    Raises:
        UnexpectedPlanError: a plan has not the algorithm that it should, or has caches.
    """
    runner, measured = Runner(spark, checkpoints), MeasuredJoin(workload, {}, {}, {})
    tell(f"{workload.name}: the oracle could win a factor of {measured.prize:.2f} in look-ups")

    def after(variant: Variant, run: JoinRun) -> None:
        measured.jvm_seconds.setdefault(variant.name, []).append(run.jvm_cpu_seconds)
        measured.runs.setdefault(variant.name, []).append(run)

    join = workload.join
    try:
        for variant in join.variants:
            check(runner, join, variant)
        measured.timings.update(
            interleaved(lambda v: runner.run(join, v), join.variants, rounds, after=after, tick=tick)
        )
    finally:
        shutil.rmtree(checkpoints, ignore_errors=True)
    return measured
