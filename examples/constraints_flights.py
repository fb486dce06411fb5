"""From observing constraints to declaring them: flights, the weather of their hour, and planes.

    python examples/constraints_flights.py [--days 6] [--plot constraints.svg]

Three streams bring a file a day: flights of 2013, the weather of their hour and airport, and planes, each of
which is told once, before it flies. They are joined by keys alone, without time ranges, so Spark would keep
every row for ever. For the first half of the days the query observes which constraints the rows keep, and
what these would save. Then it is stopped, and goes on from its checkpoint with the constraints declared: rows
that no future row can meet leave memory.

Needs streamon-lab, for the flights.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQuery

import streamon
from streamon_lab.samples.day_by_day import STREAMS, bring

# `place` is the airport and the hour, as one key.
JOIN = """
    SELECT {hints} f.t, f.flight, f.origin, f.delay, w.wind, w.visib, p.maker, p.seats
    FROM {prefix}flights f JOIN {prefix}weather w ON f.place = w.place
    JOIN {prefix}planes p ON f.tailnum = p.tailnum
"""
OBSERVE = "/*+ MJOIN(f, w, p, 'constraints=observe') */"
# Even if a declared constraint were wrong, `exact` would lose no row: those that left memory are still found.
DECLARED = "/*+ MJOIN(f, w, p, 'constraints=exact'), {} */"


def read(spark: SparkSession, folder: Path, *, streams: bool) -> None:
    """Make views of the streams; or of the rows that are there, by names that begin with `all_`."""
    for name, schema in STREAMS.items():
        reader = spark.readStream if streams else spark.read
        rows = reader.schema(schema).csv(str(folder / name)).withWatermark("t", "1 hour")
        if name != "planes":
            rows = rows.selectExpr("*", "concat_ws(' ', origin, hour) AS place")
        rows.createOrReplaceTempView(name if streams else f"all_{name}")


def start(spark: SparkSession, folder: Path, hints: str) -> StreamingQuery:
    """Start the join, or go on with it."""
    joined = spark.sql(JOIN.format(hints=hints, prefix=""))
    writer = joined.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    return writer.start(str(folder / "joined"))


def follow(query: StreamingQuery, days: pd.DatetimeIndex, folder: Path) -> None:
    """Bring some days, and print what the join keeps after each."""
    print("day         rows: in all  in memory  of these dead")
    for day in days:
        bring(day, folder, planes_once=True)
        query.processAllAvailable()
        state = query.lastProgress["stateOperators"][0]
        rows, metrics = state["numRowsTotal"], state["customMetrics"]
        warm, dead = rows - metrics["mjoinColdRows"], metrics["mjoinDeadRows"]
        print(f"{day.date()} {rows:>13,} {warm:>10,} {dead:>14,}")


def main(days: int, plot: Path | None) -> None:
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        # A day has 70 rows of weather: learn a k from as many as two days have.
        .config("spark.streamon.join.constraints.window", "140")
        .getOrCreate()
    )
    dates = pd.date_range("2013-01-01", periods=days)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in STREAMS:
            (folder / name).mkdir()
        read(spark, folder, streams=True)

        print("Observing:")
        query = start(spark, folder, OBSERVE)
        follow(query, dates[: days // 2], folder)
        found = streamon.constraints(query)
        print(f"\n{found}\n")
        if plot is not None:
            found.plot(plot)
        query.stop()

        hints = [c.hint for c in found.constraints if c.used and c.hint is not None]
        if not hints:
            raise SystemExit("No constraint is known after so few days: take --days 6 or more.")
        print("Declared:", ", ".join(hints))
        query = start(spark, folder, DECLARED.format(", ".join(hints)))
        follow(query, dates[days // 2 :], folder)
        broken = sum(c.violations for c in streamon.constraints(query).constraints if c.declared)
        print(f"{broken} rows broke a constraint.")
        query.stop()

        read(spark, folder, streams=False)
        joined = spark.read.parquet(str(folder / "joined"))
        expected = spark.sql(JOIN.format(hints="", prefix="all_"))
        same = joined.exceptAll(expected).isEmpty() and expected.exceptAll(joined).isEmpty()
        print(f"{joined.count():,} rows were joined, as in a batch join: {same}")
    spark.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=6)
    parser.add_argument("--plot", type=Path, help="where the k of each constraint is drawn over time")
    arguments = parser.parse_args()
    main(arguments.days, arguments.plot)
