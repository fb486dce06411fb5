"""Rules over a stream of files: a micro-batch for each file, into a sink that keeps nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

from streamon_lab.bench.selections.lane import Done
from streamon_lab.bench.selections.rules import COLUMNS
from streamon_lab.bench.selections.variants import ROWS, Variant
from streamon_lab.bench.selections.workload import BATCHES
from streamon_lab.bench.session import settings
from streamon_lab.bench.stopwatch import cpu_seconds
from streamon_lab.bench.streaming.drain import drain, new_checkpoint
from streamon_lab.bench.streaming.files import evenly, write
from streamon_lab.bench.streaming.run import UnexpectedRunError

SCHEMA = ", ".join(["id bigint", *(f"{c} int" for c in COLUMNS)])
STREAM = "rows"
ANSWER = "answer"


class RuleStream:
    """A folder of files, and the checkpoints of the queries that read it."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self._folder = folder
        self._jvm: Any = spark._jvm

    def run(self, variant: Variant) -> Done:
        """Streams all files. From the SQL text to the end of the query; processor time is that of tasks.

        Raises:
            TooSlowError: the query has not ended after half an hour.
            UnexpectedRunError: it had another number of micro-batches than there are files.
        """
        self._jvm.System.gc()
        with settings(self.spark, variant.conf), new_checkpoint(self._folder) as checkpoint:
            return self._timed(variant, checkpoint)

    def _timed(self, variant: Variant, checkpoint: Path) -> Done:
        start = time.perf_counter()
        files = self.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
        files.csv(str(self._folder / STREAM)).createOrReplaceTempView(ROWS)
        sums = [expr(f"{text} AS {name}") for name, text in variant.sums.items()]
        frame = self.spark.sql(variant.relation).observe(ANSWER, *sums)
        query = drain(frame, checkpoint, variant.name)
        seconds = time.perf_counter() - start
        batches: list[Any] = [p for p in query.recentProgress if p.numInputRows > 0]
        if len(batches) != BATCHES:
            raise UnexpectedRunError(f"{variant.name}: {len(batches)} micro-batches instead of {BATCHES}")
        answers = [p.observedMetrics[ANSWER] for p in batches]
        answer = (sum(a["n"] for a in answers), sum(a["ids"] for a in answers))
        return Done(seconds, cpu_seconds(self.spark, str(query.runId)), (answer,))


@contextmanager
def streamed(spark: SparkSession, rows: pa.Table) -> Iterator[RuleStream]:
    """Rows as a stream of files, for a while."""
    with TemporaryDirectory() as folder:
        write(Path(folder), STREAM, rows, evenly(len(rows), BATCHES))
        try:
            yield RuleStream(spark, Path(folder))
        finally:
            spark.catalog.dropTempView(ROWS)
