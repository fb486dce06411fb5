"""Join three topics of Kafka: packets on three links of a network.

    PYSPARK_SUBMIT_ARGS="--packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0 pyspark-shell" \\
        python examples/joins_kafka.py --bootstrap localhost:9092

Packets of customers may go on over the backbone of a network and leave it by an outgoing link. The query
finds the customers' packets that the two other links have seen within ten minutes, and adds up their sizes:
the running query of S. Babu's thesis (Section 1.4). The program makes three new topics, writes packets to
them minute by minute, and reads them as streams. The same query runs on Spark's own joins as well, to compare
what they keep. Without --bootstrap it does nothing.
"""

from __future__ import annotations

import argparse
import random
import uuid

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

import streamon

LINKS = ("customer", "backbone", "outgoing")
PACKET = "pid LONG, size INT, t TIMESTAMP"
START = 1_700_000_000 // 60 * 60

Packet = tuple[int, int, float]

# A window of ten minutes on c. The time ranges of b and o are written as conditions, since the query also
# runs on Spark's own joins: in a chain Spark takes a window on one input only. An MJoin takes one on each.
QUERY = """
    SELECT /*+ {hint} STREAM_WINDOW(c, 'RANGE 10 MINUTES') */ c.t, c.size
    FROM customer c
    JOIN backbone b ON c.pid = b.pid AND c.t < b.t + INTERVAL 10 MINUTES
    JOIN outgoing o ON b.pid = o.pid AND c.t < o.t + INTERVAL 10 MINUTES
"""


def packets(minute: int, count: int, rng: random.Random) -> dict[str, list[Packet]]:
    """The packets that a minute brings to each link: one in four goes on from link to link."""
    seen: dict[str, list[Packet]] = {link: [] for link in LINKS}
    for n in range(count):
        pid, size = minute * count + n, rng.randint(40, 1500)
        at = START + minute * 60 + 50 * n / count
        seen["customer"].append((pid, size, at))
        if rng.random() < 0.25:
            seen["backbone"].append((pid, size, at + rng.uniform(0.01, 2.0)))
            if rng.random() < 0.25:
                seen["outgoing"].append((pid, size, at + rng.uniform(2.0, 8.0)))
        elif rng.random() < 0.5:  # What comes from other networks.
            seen["backbone"].append((-pid, size, at))
    return seen


class Topics:
    """A topic for each link, new ones for each run."""

    def __init__(self, spark: SparkSession, bootstrap: str) -> None:
        self.spark = spark
        self.options = {"kafka.bootstrap.servers": bootstrap}
        self.run = uuid.uuid4().hex[:8]

    def read(self, link: str) -> DataFrame:
        # A pattern, since the topic is not there before the first packet.
        start = {"subscribePattern": f"streamon-{link}-{self.run}", "startingOffsets": "earliest"}
        raw = self.spark.readStream.format("kafka").options(**self.options, **start).load()
        return raw.selectExpr(f"from_json(CAST(value AS STRING), '{PACKET}') AS packet").select("packet.*")

    def send(self, link: str, rows: DataFrame) -> None:
        values = rows.selectExpr("to_json(struct(*)) AS value")
        topic = f"streamon-{link}-{self.run}"
        values.write.format("kafka").options(**self.options, topic=topic).save()


def start(spark: SparkSession, name: str, hint: str) -> StreamingQuery:
    """Run the query; its results become the table `name`."""
    return spark.sql(QUERY.format(hint=hint)).writeStream.format("memory").queryName(name).start()


def state_rows(query: StreamingQuery) -> int:
    """Rows that the joins of a query keep."""
    progress = query.lastProgress
    return sum(o["numRowsTotal"] for o in progress["stateOperators"]) if progress else 0


def main(minutes: int, count: int, bootstrap: str) -> None:
    """Print, minute by minute, what went through and what is kept."""
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    rng = random.Random(1)  # noqa: S311
    links = Topics(spark, bootstrap)
    for link in LINKS:
        links.read(link).withWatermark("t", "10 seconds").createOrReplaceTempView(link)
    adaptive = start(spark, "adaptive", "MJOIN(c, b, o),")
    stock = start(spark, "stock", "")
    print("minute  packets  bytes through all links  rows in state: MJoin  Spark's joins")
    for minute in range(minutes):
        seen = packets(minute, count, rng)
        for link, rows in seen.items():
            frame = spark.createDataFrame(rows, "pid LONG, size INT, seconds DOUBLE")
            links.send(link, frame.selectExpr("pid", "size", "timestamp_seconds(seconds) AS t"))
        adaptive.processAllAvailable()
        stock.processAllAvailable()
        sent = sum(map(len, seen.values()))
        through = spark.table("adaptive").agg({"size": "sum"}).head()[0] or 0
        print(f"{minute:>6} {sent:>8} {through:>24} {state_rows(adaptive):>21} {state_rows(stock):>14}")
    one, other = spark.table("adaptive"), spark.table("stock")
    print("equal answers:", one.exceptAll(other).isEmpty() and other.exceptAll(one).isEmpty())
    adaptive.stop()
    stock.stop()
    spark.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=int, default=12)
    parser.add_argument("--packets", type=int, default=2000, help="of customers, a minute")
    parser.add_argument("--bootstrap", help="a broker of Kafka, as HOST:PORT")
    arguments = parser.parse_args()
    if arguments.bootstrap is None:
        print("Skipped: name a broker of Kafka with --bootstrap HOST:PORT.")
    else:
        main(arguments.minutes, arguments.packets, arguments.bootstrap)
