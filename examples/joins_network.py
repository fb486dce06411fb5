"""Follow packets over three links of a network: the running query of the StreaMon thesis (Section 1.4).

python examples/joins_network.py [--minutes 12] [--packets 2000] [--bootstrap HOST:PORT]

Packets of customers (C) may go on over the backbone (B) and leave by an outgoing link (O). The query finds
the customers' packets that the two other links have seen within ten minutes of the first; their sizes are
added up as they come. The links are streams of files in a temporary folder; with --bootstrap they are three
new topics of that Kafka, which needs Spark's connector:

  PYSPARK_SUBMIT_ARGS="--packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0 pyspark-shell" \\
    python examples/joins_network.py --bootstrap localhost:9092

The same query runs beside it on Spark's own joins, to compare what they keep.
"""

from __future__ import annotations

import argparse
import random
import uuid
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming import StreamingQuery

import streamon

LINKS = ("customer", "backbone", "outgoing")
PACKET = "pid LONG, size INT, t TIMESTAMP"
START = 1_700_000_000 // 60 * 60

Packet = tuple[int, int, float]

# A window of ten minutes on c; b and o are bounded against c by hand: Spark's own joins, which run the query
# too, cannot carry the times of two streams to the next join. An MJoin takes a window on each.
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


class Files:
    """Links as folders of JSON files."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder = spark, folder
        for link in LINKS:
            (folder / link).mkdir()

    def read(self, link: str) -> DataFrame:
        return self.spark.readStream.schema(PACKET).json(str(self.folder / link))

    def send(self, link: str, rows: DataFrame) -> None:
        written = self.folder / f"{link}-written"
        rows.coalesce(1).write.json(str(written), mode="overwrite")
        for part in written.glob("part-*"):
            part.rename(self.folder / link / part.name)


class Topics:
    """Links as topics of Kafka, new ones for each run."""

    def __init__(self, spark: SparkSession, bootstrap: str) -> None:
        self.spark = spark
        self.options = {"kafka.bootstrap.servers": bootstrap}
        self.run = uuid.uuid4().hex[:8]

    def read(self, link: str) -> DataFrame:
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


def main(minutes: int, count: int, bootstrap: str | None) -> None:
    """Print, minute by minute, what went through and what is kept."""
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
    rng = random.Random(1)  # noqa: S311
    with TemporaryDirectory() as folder:
        links = Topics(spark, bootstrap) if bootstrap else Files(spark, Path(folder))
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
    parser.add_argument("--minutes", type=int, default=12)
    parser.add_argument("--packets", type=int, default=2000, help="of customers, a minute")
    parser.add_argument("--bootstrap", help="Kafka to send the packets through")
    arguments = parser.parse_args()
    main(arguments.minutes, arguments.packets, arguments.bootstrap)
