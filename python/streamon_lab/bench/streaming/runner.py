"""Runs a join on one engine: from the SQL text to the last result, in a sink that keeps nothing."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql.functions import coalesce, count, expr, lit, timestamp_millis

from streamon_lab.bench.session import settings
from streamon_lab.bench.stopwatch import cpu_seconds, jvm_cpu_seconds
from streamon_lab.bench.streaming import checksum
from streamon_lab.bench.streaming.drain import drain, new_checkpoint
from streamon_lab.bench.streaming.flink import Flink
from streamon_lab.bench.streaming.run import Answer, JoinRun, check, streaming_run
from streamon_lab.bench.streaming.variants import COUNT_ROWS, Engine, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream


class Runner:
    """Runs joins in one session, each with a checkpoint of its own that is removed afterwards."""

    def __init__(self, spark: SparkSession, checkpoints: Path, flink: Flink | None = None) -> None:
        self.spark = spark
        self._flink = flink
        self._jvm: Any = spark._jvm
        self._checkpoints = checkpoints.resolve()
        self._checkpoints.mkdir(parents=True, exist_ok=True)
        self._numbers = itertools.count()

    def run(self, workload: JoinWorkload, variant: Variant) -> JoinRun:
        """A run with a micro-batch for each file of a stream."""
        if self._flink is not None and variant.engine is Engine.FLINK:
            return self._flink.run(workload, variant)
        return self._execute(workload, variant, 1, {COUNT_ROWS: "false"})

    def warm_up(self, workload: JoinWorkload, variant: Variant) -> JoinRun:
        """The same rows with the rows of the state counted; in one micro-batch unless they expire."""
        if self._flink is not None and variant.engine is Engine.FLINK:
            return self._flink.warm_up(workload, variant)
        files = 1 if workload.expires else workload.files
        return self._execute(workload, variant, files, {COUNT_ROWS: "true"})

    def plan(self, workload: JoinWorkload, variant: Variant) -> str:
        """The plan of a streaming variant as `EXPLAIN` has it."""
        with settings(self.spark, variant.conf):
            self._views(workload, 1)
            # Spark cannot explain a streaming query that is a text of SQL alone.
            frame: Any = self.spark.sql(_query(workload, variant)).select("*")
            return str(self._jvm.PythonSQLUtils.explainString(frame._jdf.queryExecution(), "simple"))

    def _execute(self, workload: JoinWorkload, variant: Variant, files: int, conf: dict[str, str]) -> JoinRun:
        with settings(self.spark, {**conf, **variant.conf}):
            self._jvm.System.gc()
            if variant.engine is Engine.BATCH:
                return self._batch(workload)
            try:
                return self._stream(workload, variant, files)
            finally:
                # Stores of a query that has ended stay open until their next maintenance.
                self._jvm.org.apache.spark.sql.execution.streaming.state.StateStore.stop()

    def _batch(self, workload: JoinWorkload) -> JoinRun:
        group = f"bench-join-{next(self._numbers)}"
        self.spark.sparkContext.setJobGroup(group, group)
        start = time.perf_counter()
        for stream in workload.streams:
            rows = self.spark.read.schema(stream.columns).csv(str(workload.folder / stream.name))
            _timed(stream, rows).createOrReplaceTempView(stream.name)
        answer = Observation("answer")
        results = self.spark.sql(workload.query).observe(answer, *_answer(workload))
        results.write.format("noop").mode("overwrite").save()
        seconds = time.perf_counter() - start
        found = answer.get
        return JoinRun(seconds, cpu_seconds(self.spark, group), Answer(found["results"], found["checksum"]))

    def _stream(self, workload: JoinWorkload, variant: Variant, files: int) -> JoinRun:
        with new_checkpoint(self._checkpoints) as checkpoint:
            jvm_before = jvm_cpu_seconds(self.spark)
            start = time.perf_counter()
            frame = self._streams(workload, variant, files)
            query = drain(frame, checkpoint, f"{workload.name}, {variant.name}")
            seconds = time.perf_counter() - start
            in_jvm = jvm_cpu_seconds(self.spark) - jvm_before
            progress = query.recentProgress
            check(workload, variant, progress, workload.files // files)
            in_tasks = cpu_seconds(self.spark, str(query.runId))
            return streaming_run(seconds, in_tasks, in_jvm, progress, checkpoint)

    def _streams(self, workload: JoinWorkload, variant: Variant, files: int) -> DataFrame:
        self._views(workload, files)
        return self.spark.sql(_query(workload, variant)).observe("answer", *_answer(workload))

    def _views(self, workload: JoinWorkload, files: int) -> None:
        for stream in workload.streams:
            rows = (
                self.spark.readStream.schema(stream.columns)
                .option("maxFilesPerTrigger", files)
                .csv(str(workload.folder / stream.name))
            )
            _timed(stream, rows).createOrReplaceTempView(stream.name)


def _query(workload: JoinWorkload, variant: Variant) -> str:
    return workload.tree if variant.engine is Engine.TREE else workload.query


def _timed(stream: Stream, rows: DataFrame) -> DataFrame:
    """The rows with their event time, if they have one; the watermark says nothing to a batch."""
    if not stream.timed:
        return rows
    return rows.withColumn("t", timestamp_millis("ts")).withWatermark("t", "0 seconds")


def _answer(workload: JoinWorkload) -> tuple[Column, Column]:
    part = expr(f"sum({checksum.expression(workload.results)})")
    return count(lit(1)).alias("results"), coalesce(part, lit(0)).alias("checksum")
