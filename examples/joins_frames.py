"""Filters and joins of frames, without SQL: the typed functions of StreaMon.

    python examples/joins_frames.py

Orders, payments and shipments are three streams. The program keeps large orders with a certain note, joins
them with their payments and shipments within an hour, and looks at the running query once.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import streamon

ORDERS = 20_000


def stream(spark: SparkSession, folder: str, name: str, rows: DataFrame) -> DataFrame:
    """Write rows to files, and read them as a stream that brings a file in each micro-batch."""
    rows.repartitionByRange(4, "t").write.parquet(f"{folder}/{name}")
    read = spark.readStream.schema(rows.schema).option("maxFilesPerTrigger", 1).parquet(f"{folder}/{name}")
    return read.withWatermark("t", "1 hour").alias(name)


def main() -> None:
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        ids = (
            spark.range(ORDERS)
            .withColumnRenamed("id", "oid")
            .withColumn("t", F.expr("timestamp_seconds(oid DIV 4)"))
        )
        note = F.when(F.col("oid") % 20 == 0, "gift").otherwise("as usual")
        orders = stream(
            spark, folder, "orders", ids.withColumn("note", note).withColumn("amount", F.col("oid") % 500)
        )
        payments = stream(
            spark, folder, "payments", ids.where("oid % 3 != 0").withColumn("paid", F.lit(True))
        )
        shipments = stream(spark, folder, "shipments", ids.where("oid % 2 = 0"))

        # Each option of a hint is a keyword. An editor completes them, and a type checker knows their values.
        large = streamon.adaptive_filter(
            orders.where(F.col("note").rlike("^(gift|present)$") & (F.col("amount") >= 100)),
            algorithm="independent",
            window=200,
        )
        joined = (
            large.alias("o")
            .join(payments.alias("p"), F.expr("o.oid = p.oid"))
            .join(shipments.alias("s"), F.expr("p.oid = s.oid"))
            .select("o.oid", "o.amount", "p.paid", F.col("s.t").alias("sent"))
        )
        # After the last join: a window on one input, and one operator for all three.
        joined = streamon.stream_window(joined, "o", range="1 HOUR")
        joined = streamon.mjoin(joined, "o", "p", "s", profiling_probability=0.1)

        print("The plan:")
        print(streamon.explain(joined))

        print("\nSpark's analyzer checks names and values:")
        try:
            streamon.mjoin(joined, "o", "customers").schema  # noqa: B018
        except AnalysisException as error:
            print(str(error).split("\n")[0])

        query = joined.writeStream.format("memory").queryName("large_orders").start()
        query.processAllAvailable()
        print(f"\n{spark.table('large_orders').count():,} large orders are paid and sent.")
        print("One look at the query; without `seconds`, streamon.live follows it until it ends:\n")
        streamon.live(query, seconds=0)
        query.stop()
    spark.stop()


if __name__ == "__main__":
    main()
