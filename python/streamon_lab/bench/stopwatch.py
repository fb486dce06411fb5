"""Runs one query and says how long it took, on the clock and in processor time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Row, SparkSession

from streamon_lab.bench.processes import descendants_cpu_seconds, own_cpu_seconds
from streamon_lab.bench.session import settings

_groups = itertools.count()


@dataclass(frozen=True)
class Run:
    """One execution: wall-clock seconds, processor seconds, and its answer.

    Processor time is that of the tasks and of their Python workers; `jvm_cpu_seconds` that of all threads of
    the JVM, with what runs beside the tasks.
    """

    seconds: float
    cpu_seconds: float
    answer: tuple[Row, ...]
    jvm_cpu_seconds: float


class Stopwatch:
    """Times queries of one session. Wall-clock time is from the SQL text to the collected answer."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self._jvm: Any = spark._jvm

    def run(self, query: str, conf: Mapping[str, str] | None = None) -> Run:
        """Runs `query` with the settings of `conf`, which are taken back afterwards.

        The garbage of what ran before is collected first.
        """
        group = f"bench-{next(_groups)}"
        with settings(self.spark, conf or {}):
            self._jvm.System.gc()
            self.spark.sparkContext.setJobGroup(group, group)
            before, jvm_before = workers_cpu_seconds(self.spark), jvm_cpu_seconds(self.spark)
            start = time.perf_counter()
            answer = tuple(self.spark.sql(query).collect())
            seconds = time.perf_counter() - start
            in_jvm = jvm_cpu_seconds(self.spark) - jvm_before
            in_workers = workers_cpu_seconds(self.spark) - before
        return Run(seconds, cpu_seconds(self.spark, group) + in_workers, answer, in_jvm)


def workers_cpu_seconds(spark: SparkSession) -> float:
    """Processor time of the Python workers of a local session so far."""
    return descendants_cpu_seconds(_jvm_pid(spark))


def jvm_cpu_seconds(spark: SparkSession) -> float:
    """Processor time of all threads of the JVM so far."""
    return own_cpu_seconds(_jvm_pid(spark))


def _jvm_pid(spark: SparkSession) -> int:
    jvm: Any = spark._jvm
    return int(jvm.java.lang.ProcessHandle.current().pid())


def cpu_seconds(spark: SparkSession, group: str) -> float:
    """Processor time of the tasks of a job group, for as long as Spark remembers its jobs."""
    # The JVM's own objects: PySpark has no typed way to the time that tasks took.
    context: Any = spark.sparkContext._jsc.sc()
    context.listenerBus().waitUntilEmpty()
    tracker, store = context.statusTracker(), context.statusStore()
    nanos = 0
    for job in tracker.getJobIdsForGroup(group):
        for stage in tracker.getJobInfo(job).get().stageIds():
            nanos += store.lastStageAttempt(stage).executorCpuTime()
    return nanos / 1e9
