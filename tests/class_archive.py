"""An archive of Spark's classes, with which the JVMs that tests start take half of the time to start.

`make` writes it beside Spark. A JVM that it does not suit, as one with other jars, goes without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, concat, lit, udf

ARCHIVE = Path(sys.prefix) / "spark.jsa"
OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""The tests are many and short: most of their time would go into compiling code once more."""
WRITES = "-XX:ArchiveClassesAtExit={} -Xlog:disable"
READS = "-XX:SharedArchiveFile={} -Xlog:disable"

LIMIT = 300
"""Seconds that a JVM may take to write the archive."""


def options() -> str:
    """The options of the JVMs that tests start."""
    return f"{OPTIONS} {READS.format(ARCHIVE)}" if ARCHIVE.exists() else OPTIONS


def write() -> None:
    """Write the archive: the classes of queries as most tests have them."""
    with tempfile.TemporaryDirectory(dir=ARCHIVE.parent) as folder:
        made = Path(folder) / ARCHIVE.name
        os.environ["SPARK_SUBMIT_OPTS"] = f"{OPTIONS} {WRITES.format(made)}"
        os.environ["PYSPARK_PYTHON"] = sys.executable
        jvm = _run_queries(folder)
        # It writes the archive when it ends.
        if jvm.stdin:
            jvm.stdin.close()
        try:
            jvm.wait(LIMIT)
        finally:
            jvm.kill()
        made.rename(ARCHIVE)


def _run_queries(folder: str) -> subprocess.Popen[bytes]:
    """Run the queries, and give the JVM that ran them."""
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    for key in ("spark.driver.host", "spark.driver.bindAddress"):
        builder = builder.config(key, "127.0.0.1")
    builder = builder.config("spark.log.level", "ERROR").config("spark.sql.shuffle.partitions", "2")
    spark = builder.getOrCreate()
    is_even = udf(lambda n: n % 2 == 0, "boolean")
    rows = spark.range(1000).withColumn("t", concat(lit("n-"), "id")).filter("t RLIKE '[0-7]$'")
    rows.filter(is_even("id")).groupBy(col("id") % 7).count().orderBy("count").toPandas()
    rows.write.parquet(f"{folder}/rows")
    table = spark.read.parquet(f"{folder}/rows")
    stream = spark.readStream.schema(rows.schema).parquet(f"{folder}/rows").join(table, "id")
    to_nowhere = stream.writeStream.format("noop").option("checkpointLocation", f"{folder}/checkpoint")
    to_nowhere.trigger(availableNow=True).start().awaitTermination()
    gateway = SparkContext._gateway
    spark.stop()
    assert gateway is not None
    process: subprocess.Popen[bytes] = gateway.proc
    return process


if __name__ == "__main__":
    write()
