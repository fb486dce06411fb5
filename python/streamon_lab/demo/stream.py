"""Streams a scene through the query, a month a micro-batch, and notes what each month took."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import streamon
from streamon_lab.bench.filters.workload import Predicate
from streamon_lab.bench.stopwatch import cpu_seconds, workers_cpu_seconds
from streamon_lab.demo.query import PREDICATES, query
from streamon_lab.demo.scenes import Scene

Order = tuple[int, ...]


@dataclass(frozen=True)
class Month:
    """One micro-batch: rows, seconds, the filters evaluated, and the order at its end (as written)."""

    rows: int
    seconds: float
    evaluated: int
    order: Order


@dataclass(frozen=True)
class Change:
    """A change of order: its month (from 0), the orders, and each predicate's drop rate and nanoseconds."""

    month: int
    old: Order
    new: Order
    drop_rates: tuple[float | None, ...]
    nanos: tuple[float | None, ...]


@dataclass
class Streamed:
    """One run of a scene.

    `cpu_seconds` is the processor time of its tasks and of their Python workers. `answer` counts equal rows.
    """

    months: list[Month] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    cpu_seconds: float = 0.0
    answer: Counter[Row] = field(default_factory=Counter)

    @property
    def seconds(self) -> float:
        """Seconds of all micro-batches."""
        return sum(m.seconds for m in self.months)


def stream(
    spark: SparkSession,
    scene: Scene,
    folder: Path,
    *,
    adaptive: bool,
    tick: Callable[[], None],
    predicates: tuple[Predicate, ...] = PREDICATES,
) -> Streamed:
    """Runs the query over a folder into which the months arrive one by one. `tick` is called after each."""
    incoming, name = folder / "incoming", folder.name
    incoming.mkdir(parents=True)
    spark.conf.set("spark.streamon.enabled", str(adaptive).lower())
    schema = spark.read.parquet(str(scene.months[0])).schema
    spark.readStream.schema(schema).parquet(str(incoming)).createOrReplaceTempView("flights")
    in_workers = workers_cpu_seconds(spark)
    running = (
        spark.sql(query("flights", predicates))
        .writeStream.format("memory")
        .queryName(name)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .start()
    )
    run = Streamed()
    try:
        evaluated = 0
        for month, source in enumerate(scene.months):
            _arrive(source, incoming)
            running.processAllAvailable()
            rows, seconds = _last_batch(running)
            total, order = _evaluations(running) if adaptive else (0, tuple(range(len(PREDICATES))))
            run.months.append(Month(rows, seconds, total - evaluated, order))
            evaluated = total
            if adaptive:
                run.changes += _changes(spark, running, month, seen=len(run.changes))
            tick()
        in_workers = workers_cpu_seconds(spark) - in_workers
        run.cpu_seconds = cpu_seconds(spark, str(running.runId)) + in_workers
    finally:
        running.stop()
        spark.conf.unset("spark.streamon.enabled")
    run.answer = Counter(spark.table(name).collect())
    return run


def batch_answer(
    spark: SparkSession, scene: Scene, predicates: tuple[Predicate, ...] = PREDICATES
) -> Counter[Row]:
    """The rows that stock Spark finds when it reads all months at once."""
    spark.conf.set("spark.streamon.enabled", "false")
    try:
        spark.read.parquet(*map(str, scene.months)).createOrReplaceTempView("flights")
        return Counter(spark.sql(query("flights", predicates)).collect())
    finally:
        spark.conf.unset("spark.streamon.enabled")


def _arrive(source: Path, incoming: Path) -> None:
    # Spark does not see a name that starts with a dot, so the file is there whole or not at all.
    hidden = incoming / f".{source.name}"
    shutil.copyfile(source, hidden)
    hidden.rename(incoming / source.name)


def _last_batch(running: StreamingQuery) -> tuple[int, float]:
    progress: Any = next(p for p in reversed(running.recentProgress) if p["numInputRows"] > 0)
    return int(progress["numInputRows"]), progress["durationMs"]["triggerExecution"] / 1000


def _evaluations(running: StreamingQuery) -> tuple[int, Order]:
    """Filters evaluated since the start, and the order now."""
    rows = streamon.stats(running).collect()
    positions = {row["position"]: int(row["written"]) for row in rows}
    return sum(row["evaluations"] for row in rows), tuple(positions[k] for k in sorted(positions))


def _changes(spark: SparkSession, running: StreamingQuery, month: int, seen: int) -> list[Change]:
    written = {row["conjunct"]: int(row["written"]) for row in streamon.stats(running).collect()}
    rows = streamon.decisions(spark).where(f"query = '{running.id}'").collect()
    return [
        Change(
            month,
            old=tuple(written[c] for c in row["old_order"]),
            new=tuple(written[c] for c in row["new_order"]),
            drop_rates=tuple(s["drop_rate"] for s in _as_written(row, written)),
            nanos=tuple(s["nanos"] for s in _as_written(row, written)),
        )
        for row in rows[seen:]
    ]


def _as_written(row: Row, written: dict[str, int]) -> list[Row]:
    return sorted(row["statistics"], key=lambda s: written[s["conjunct"]])
