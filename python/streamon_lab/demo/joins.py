"""Three streams of flights, weather and planes, joined by an MJoin and by Spark's own joins, day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import Row, SparkSession

from streamon_lab.bench.session import settings
from streamon_lab.bench.streaming.variants import ROCKSDB
from streamon_lab.samples.day_by_day import STREAMS, bring

DAYS = 14
QUERY = """\
SELECT f.t, f.flight, f.origin, f.delay, w.wind, w.visib, p.maker, p.seats
FROM flights f
JOIN weather w ON f.origin = w.origin AND f.hour = w.hour
  AND f.t >= w.t AND f.t < w.t + INTERVAL 1 HOUR
JOIN planes p ON f.tailnum = p.tailnum
  AND f.t >= p.t AND f.t < p.t + INTERVAL 1 DAY"""

CONF = {**ROCKSDB, "spark.sql.shuffle.partitions": "1"}


@dataclass(frozen=True)
class Day:
    """What a day brought, how many seconds its micro-batches took, and the rows that the state had then."""

    rows: int
    seconds: float
    state_rows: int


@dataclass
class Joined:
    """One run of the join; `answer` counts equal rows."""

    days: list[Day] = field(default_factory=list)
    answer: Counter[Row] = field(default_factory=Counter)

    @property
    def rows_per_second(self) -> float:
        """Over all days."""
        return sum(d.rows for d in self.days) / sum(d.seconds for d in self.days)


def join(spark: SparkSession, folder: Path, days: int, *, adaptive: bool, tick: Callable[[], None]) -> Joined:
    """Joins the first days of 2013, with an MJoin when `adaptive`. `tick` is called after each day."""
    import pandas as pd

    name = folder.name
    with settings(spark, {**CONF, "spark.streamon.join.enabled": str(adaptive).lower()}):
        for stream, schema in STREAMS.items():
            (folder / stream).mkdir(parents=True)
            rows = spark.readStream.schema(schema).csv(str(folder / stream))
            rows.withWatermark("t", "1 hour").createOrReplaceTempView(stream)
        running = (
            spark.sql(QUERY)
            .writeStream.format("memory")
            .queryName(name)
            .option("checkpointLocation", str(folder / "checkpoint"))
            .start()
        )
        run = Joined()
        try:
            seen = -1
            for day in pd.date_range("2013-01-01", periods=days):
                brought = bring(day, folder)
                running.processAllAvailable()
                batches: list[Any] = [p for p in running.recentProgress if p["batchId"] > seen]
                seen = batches[-1]["batchId"]
                millis = sum(p["durationMs"]["triggerExecution"] for p in batches)
                kept = sum(o["numRowsTotal"] for o in batches[-1]["stateOperators"])
                run.days.append(Day(brought, millis / 1000, kept))
                tick()
        finally:
            running.stop()
    run.answer = Counter(spark.table(name).collect())
    return run
