"""Join each alarm with the last three readings of its sensor, by a window of rows.

    python examples/joins_row_windows.py

Spark joins streams within a time, not within a number of rows. A window of rows on an input of an MJoin does:
PARTITION BY sensor ROWS 3 holds the last three readings of each sensor. The same query over tables, with
row_number(), tells what has to come out.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession

import streamon

READINGS = "sensor STRING, celsius DOUBLE, t TIMESTAMP"
ALARMS = "sensor STRING, alarm STRING, t TIMESTAMP"

# Rows are taken in the order of their event times. A reading that comes after an alarm would meet it as well,
# so the query asks for earlier ones. The alarms need no memory then: a window of one row is enough for them.
BY_WINDOW = """
    SELECT /*+ STREAM_WINDOW(r, 'PARTITION BY sensor ROWS 3'), STREAM_WINDOW(a, 'ROWS 1') */
        a.sensor, a.alarm, a.t, r.celsius
    FROM readings r JOIN alarms a ON r.sensor = a.sensor AND r.t < a.t
"""
BY_NUMBER = """
    SELECT sensor, alarm, t, celsius FROM (
        SELECT a.*, r.celsius, row_number() OVER (PARTITION BY a.sensor, a.t ORDER BY r.t DESC) AS latest
        FROM all_readings r JOIN all_alarms a ON r.sensor = a.sensor AND r.t < a.t)
    WHERE latest <= 3
"""


def at(minute: int, second: float) -> str:
    """A time of the first of March, as JSON has it."""
    return (datetime(2026, 3, 1, tzinfo=timezone.utc) + timedelta(minutes=minute, seconds=second)).isoformat()


def write(file: Path, rows: list[dict[str, object]]) -> None:
    """Write rows as JSON. A file whose name begins with a dot is not there yet for Spark."""
    hidden = file.with_name(f".{file.name}")
    hidden.write_text("\n".join(map(json.dumps, rows)))
    hidden.rename(file)


def main() -> None:
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, schema in (("readings", READINGS), ("alarms", ALARMS)):
            (folder / name).mkdir()
            # The order of rows is that of their event times, so each stream needs a watermark.
            stream = spark.readStream.schema(schema).json(str(folder / name))
            stream.withWatermark("t", "0 seconds").createOrReplaceTempView(name)

        query = spark.sql(BY_WINDOW).writeStream.format("memory").queryName("found").start()
        for minute in range(6):
            # Ten readings of each of three sensors a minute, and an alarm now and then.
            readings = [
                {"sensor": sensor, "celsius": 20.0 + minute + n / 10, "t": at(minute, 6 * n + later)}
                for n in range(10)
                for later, sensor in enumerate(("cellar", "kitchen", "roof"))
            ]
            alarms = [{"sensor": "roof", "alarm": f"minute {minute}", "t": at(minute, 30.5)}]
            if minute % 2 == 0:
                alarms.append({"sensor": "cellar", "alarm": f"minute {minute}", "t": at(minute, 45.5)})
            write(folder / "readings" / f"{minute}.json", readings)
            write(folder / "alarms" / f"{minute}.json", alarms)
            query.processAllAvailable()
        # A row is taken when the watermark has reached it: a last row on each stream moves it on.
        write(folder / "readings" / "last.json", [{"sensor": "none", "celsius": 0.0, "t": at(60, 0)}])
        write(folder / "alarms" / "last.json", [{"sensor": "none", "alarm": "none", "t": at(60, 0)}])
        query.processAllAvailable()

        found = spark.table("found")
        print("The last three readings of a sensor before each alarm:")
        found.groupBy("t", "sensor", "alarm").agg({"celsius": "collect_list"}).orderBy("t").show(
            truncate=False
        )
        state = query.lastProgress["stateOperators"][0]
        print(f"All {6 * 30} readings have come; the state has {state['numRowsTotal']} rows.")
        for name, schema in (("readings", READINGS), ("alarms", ALARMS)):
            spark.read.schema(schema).json(str(folder / name)).createOrReplaceTempView(f"all_{name}")
        expected = spark.sql(BY_NUMBER)
        same = found.exceptAll(expected).isEmpty() and expected.exceptAll(found).isEmpty()
        print("The rows are those of the query over tables:", same)
        query.stop()
    spark.stop()


if __name__ == "__main__":
    main()
