"""Join flights with the weather of their hour and with their planes: three streams of 2013, one MJoin.

    python examples/joins_flights.py [--days 14]

Each day brings a file to each stream: the flights of the day, the weather of its hours, and the planes that
will fly. The same query runs on Spark's own joins as well. The program prints what both keep, and whether
their answers are equal.

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

# Flights and weather have one key, flights and planes another. The time ranges bound the state.
JOIN = """
    SELECT {hint} f.t, f.flight, f.origin, f.delay, w.wind, w.visib, p.maker, p.seats
    FROM flights f
    JOIN weather w ON f.origin = w.origin AND f.hour = w.hour
      AND f.t >= w.t AND f.t < w.t + INTERVAL 1 HOUR
    JOIN planes p ON f.tailnum = p.tailnum
      AND f.t >= p.t AND f.t < p.t + INTERVAL 1 DAY
"""


def start(spark: SparkSession, name: str, hint: str) -> StreamingQuery:
    """Run the join; its results become the table `name`."""
    joined = spark.sql(JOIN.format(hint=hint))
    return joined.writeStream.format("memory").queryName(name).start()


def state_rows(query: StreamingQuery) -> int:
    """Rows that the joins of a query keep."""
    progress = query.lastProgress
    return sum(o["numRowsTotal"] for o in progress["stateOperators"]) if progress else 0


def main(days: int) -> None:
    """Print, day by day, what was joined and what is kept."""
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        for name, schema in STREAMS.items():
            (Path(folder) / name).mkdir()
            stream = spark.readStream.schema(schema).csv(f"{folder}/{name}")
            stream.withWatermark("t", "1 hour").createOrReplaceTempView(name)
        print(streamon.explain(spark.sql(JOIN.format(hint="/*+ MJOIN(f, w, p) */"))))
        adaptive = start(spark, "adaptive", "/*+ MJOIN(f, w, p) */")
        stock = start(spark, "stock", "")
        print("day          joined  rows in state: MJoin  Spark's joins  the latest of the day")
        for day in pd.date_range("2013-01-01", periods=days):
            bring(day, Path(folder))
            adaptive.processAllAvailable()
            stock.processAllAvailable()
            joined = spark.table("adaptive").where(f"date(t) = '{day.date()}'")
            latest = joined.orderBy("delay", ascending=False).first()
            said = "" if latest is None else f"{latest.flight}, {latest.maker}, wind {latest.wind} mph"
            print(
                f"{day.date()} {joined.count():>8} {state_rows(adaptive):>21} {state_rows(stock):>14}  {said}"
            )
        same = spark.table("adaptive").exceptAll(spark.table("stock")).isEmpty()
        same = same and spark.table("stock").exceptAll(spark.table("adaptive")).isEmpty()
        print("equal answers:", same)
        adaptive.stop()
        stock.stop()
    spark.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=14)
    main(parser.parse_args().days)
