"""Runs one query and says how long it took, on the clock and in processor time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Row, SparkSession

_groups = itertools.count()


@dataclass(frozen=True)
class Run:
    """One execution: wall-clock seconds, processor seconds of its tasks, and its answer."""

    seconds: float
    cpu_seconds: float
    answer: tuple[Row, ...]


class Stopwatch:
    """Times queries of one session. Wall-clock time is from the SQL text to the collected answer."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        # The JVM's own objects: PySpark has no typed way to the time that tasks took.
        self._jvm: Any = spark._jvm
        self._context: Any = spark.sparkContext._jsc.sc()

    def run(self, query: str, conf: Mapping[str, str] | None = None) -> Run:
        """Runs `query` with the settings of `conf`, which are taken back afterwards."""
        group = f"bench-{next(_groups)}"
        for key, value in (conf or {}).items():
            self.spark.conf.set(key, value)
        try:
            self._jvm.System.gc()
            self.spark.sparkContext.setJobGroup(group, group)
            start = time.perf_counter()
            answer = tuple(self.spark.sql(query).collect())
            seconds = time.perf_counter() - start
        finally:
            for key in conf or {}:
                self.spark.conf.unset(key)
        return Run(seconds, self._cpu_seconds(group), answer)

    def _cpu_seconds(self, group: str) -> float:
        self._context.listenerBus().waitUntilEmpty()
        tracker, store = self._context.statusTracker(), self._context.statusStore()
        nanos = 0
        for job in tracker.getJobIdsForGroup(group):
            for stage in tracker.getJobInfo(job).get().stageIds():
                # A stage that an earlier one made superfluous has no attempt with time.
                nanos += store.lastStageAttempt(stage).executorCpuTime()
        return nanos / 1e9
