"""Join three streams into files, stop the query, and go on from its checkpoint.

    python examples/joins_restart.py

Packets of customers may go on over the backbone of a network and leave it by an outgoing link. Each link
writes a file of packets a minute. The query finds the packets that all three links have seen, and writes them
to Parquet files. It is stopped in between and started again, and at the end its files have the rows that a
batch join over all packets has.
"""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQuery

import streamon

LINKS = ("customer", "backbone", "outgoing")
PACKET = "pid LONG, size INT, t TIMESTAMP"
PACKETS = 2_000
"""Of customers, a minute."""
START = datetime(2026, 3, 1, tzinfo=timezone.utc)

# The time ranges bound the state: with the watermarks they say when a packet can meet no other any more.
JOIN = """
    SELECT {hint} c.pid, c.size, c.t AS entered, o.t AS left
    FROM {prefix}customer c
    JOIN {prefix}backbone b ON c.pid = b.pid AND b.t BETWEEN c.t AND c.t + INTERVAL 1 MINUTE
    JOIN {prefix}outgoing o ON b.pid = o.pid AND o.t BETWEEN c.t AND c.t + INTERVAL 1 MINUTE
"""


def bring(minute: int, folder: Path, rng: random.Random) -> None:
    """Write the packets of a minute, a file for each link: one in four goes on from link to link."""
    seen: dict[str, list[dict[str, object]]] = {link: [] for link in LINKS}
    for n in range(PACKETS):
        at = START + timedelta(minutes=minute, seconds=50 * n / PACKETS)
        packet = {"pid": minute * PACKETS + n, "size": rng.randint(40, 1500)}
        for link in LINKS:
            seen[link].append(packet | {"t": at.isoformat()})
            at += timedelta(seconds=rng.uniform(0.1, 4))
            if rng.random() > 0.25:
                break
    for link, rows in seen.items():
        # A file whose name begins with a dot is not there yet for Spark.
        hidden = folder / link / f".{minute:03}.json"
        hidden.write_text("\n".join(map(json.dumps, rows)))
        hidden.rename(folder / link / f"{minute:03}.json")


def start(spark: SparkSession, folder: Path) -> StreamingQuery:
    """Start the query, or go on with it: the same text, sink and checkpoint."""
    joined = spark.sql(JOIN.format(hint="/*+ MJOIN(c, b, o) */", prefix=""))
    writer = joined.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    return writer.start(str(folder / "joined"))


def follow(query: StreamingQuery, minutes: range, folder: Path, rng: random.Random) -> None:
    """Bring some minutes, and print what the sink and the state have after each."""
    spark = SparkSession.active()
    for minute in minutes:
        bring(minute, folder, rng)
        query.processAllAvailable()
        state = query.lastProgress["stateOperators"][0]
        written = spark.read.parquet(str(folder / "joined")).count()
        print(f"  minute {minute}: {written:>6,} rows in the sink, {state['numRowsTotal']:>6,} in the state")


def main() -> None:
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    rng = random.Random(1)  # noqa: S311
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for link in LINKS:
            (folder / link).mkdir()
            stream = spark.readStream.schema(PACKET).json(str(folder / link))
            stream.withWatermark("t", "10 seconds").createOrReplaceTempView(link)

        print("The first run:")
        query = start(spark, folder)
        follow(query, range(3), folder, rng)
        query.stop()

        print("The query has stopped. Two minutes come meanwhile. The second run:")
        for minute in (3, 4):
            bring(minute, folder, rng)
        again = start(spark, folder)
        follow(again, range(5, 7), folder, rng)
        print("One query with two runs:", again.id == query.id, again.runId != query.runId)
        again.stop()

        for link in LINKS:
            spark.read.schema(PACKET).json(str(folder / link)).createOrReplaceTempView(f"all_{link}")
        expected = spark.sql(JOIN.format(hint="", prefix="all_"))
        found = spark.read.parquet(str(folder / "joined"))
        same = found.exceptAll(expected).isEmpty() and expected.exceptAll(found).isEmpty()
        print(f"The sink has {found.count():,} rows, those of a batch join: {same}")
    spark.stop()


if __name__ == "__main__":
    main()
