"""Let flights find out what need not be kept: what they refer to is there before them, and only once.

python examples/constraints_flights.py [--days 14] [--plot constraints.svg]      (needs streamon-lab)

Three streams of 2013, a file a day each: flights, the weather of their hour and airport, and planes, each
of which is told once, before it flies. They are joined by keys alone, with no time ranges, so that Spark
keeps every row for ever. A first MJoin observes which constraints the rows obey, and what they would save. A
second one has them declared, and keeps only what may still matter in memory.
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
    FROM flights f JOIN weather w ON f.place = w.place JOIN planes p ON f.tailnum = p.tailnum
"""
OBSERVE = "/*+ MJOIN(f, w, p, 'constraints=observe') */"
EXACT = """/*+ MJOIN(f, w, p, 'constraints=exact'),
    UNIQUE(w, place), K_CONSTRAINT('RIDS', f, w, 0), UNIQUE(p, tailnum), K_CONSTRAINT('RIDS', f, p, 0) */"""


def read(spark: SparkSession, folder: str) -> None:
    """Make the streams views."""
    for name, schema in STREAMS.items():
        (Path(folder) / name).mkdir()
        stream = spark.readStream.schema(schema).csv(f"{folder}/{name}").withWatermark("t", "1 hour")
        if name != "planes":
            stream = stream.selectExpr("*", "concat_ws(' ', origin, hour) AS place")
        stream.createOrReplaceTempView(name)


def start(spark: SparkSession, name: str, hints: str) -> StreamingQuery:
    """Run the join; its results become the table `name`."""
    joined = spark.sql(JOIN.format(hints=hints))
    return joined.writeStream.format("memory").queryName(name).start()


def state(query: StreamingQuery, *, cold: bool = True) -> int:
    """Rows that the joins of a query keep; without `cold` those in memory."""
    progress = query.lastProgress
    operators = progress["stateOperators"] if progress else []
    rows = sum(o["numRowsTotal"] for o in operators)
    return rows if cold else rows - sum(o["customMetrics"].get("mjoinColdRows", 0) for o in operators)


def main(days: int, plot: Path | None) -> None:
    """Print, day by day, what is kept; then the constraints, and whether the answers are equal."""
    spark = (
        streamon.configure(SparkSession.builder.master("local[2]"))
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        # A day has 70 rows of weather: learn a k from as many as two days have.
        .config("spark.streamon.join.constraints.window", "140")
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        )
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        read(spark, folder)
        names = {"observed": OBSERVE, "exact": EXACT, "stock": ""}
        queries = {name: start(spark, name, hints) for name, hints in names.items()}
        print("day          joined   rows: MJoin   of them dead   exact, in memory   Spark's joins")
        for day in pd.date_range("2013-01-01", periods=days):
            bring(day, Path(folder), planes_once=True)
            for query in queries.values():
                query.processAllAvailable()
            found = streamon.constraints(queries["observed"])
            joined = spark.table("observed").where(f"date(t) = '{day.date()}'").count()
            dead = sum(e.dead_rows for e in found.evictions)
            kept, exact, stock = (state(query, cold=name != "exact") for name, query in queries.items())
            print(f"{day.date()} {joined:>8} {kept:>13} {dead:>14} {exact:>18} {stock:>15}")
        print()
        found = streamon.constraints(queries["observed"])
        found.show()
        if plot is not None:
            found.plot(plot)
        stock_answer = spark.table("stock")
        same = all(
            spark.table(name).exceptAll(stock_answer).isEmpty()
            and stock_answer.exceptAll(spark.table(name)).isEmpty()
            for name in ("observed", "exact")
        )
        print("equal answers:", same)
        for query in queries.values():
            query.stop()
    spark.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--plot", type=Path, help="where the k of each constraint is drawn over time")
    arguments = parser.parse_args()
    main(arguments.days, arguments.plot)
