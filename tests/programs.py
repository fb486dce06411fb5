"""Small Python programs in a process of their own, as a user starts them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

START = """
from pyspark.sql import SparkSession
import streamon

builder = SparkSession.builder.master("local[1]")
for key, value in {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}.items():
    builder = builder.config(key, value)
"""
"""The beginning of each program: a builder that StreaMon does not know of yet."""


def environment(scripts: Path, folder: Path) -> dict[str, str]:
    """A bare environment with a virtual environment active, and Java where this process has it."""
    kept = {key: os.environ[key] for key in ("JAVA_HOME", "HOME", "SPARK_SUBMIT_OPTS") if key in os.environ}
    path = os.pathsep.join([str(scripts), os.environ["PATH"]])
    python = str(scripts / "python")
    return {
        **kept,
        "PATH": path,
        "TMPDIR": str(folder),
        "PYSPARK_PYTHON": python,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def run_program(
    source: str,
    *,
    scripts: Path,
    folder: Path,
    with_command: tuple[str, ...] = ("python",),
    start: str = START,
) -> subprocess.CompletedProcess[str]:
    """Run the program text, after `start`, with a command of that scripts folder, in a folder of its own."""
    program = folder / "program.py"
    program.write_text(start + source)
    command = [str(scripts / with_command[0]), *with_command[1:], str(program)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment(scripts, folder), check=False
    )


FILTER = """
frame = spark.sql('''
    SELECT /*+ ADAPTIVE_FILTER */ id FROM range(1000)
    WHERE CAST(id AS STRING) RLIKE '^[0-9]*5$' AND id % 3 = 0''')
plan = frame._jdf.queryExecution().executedPlan().toString()
print("rows", frame.count(), "adaptive", plan.count("AdaptiveFilter"))
"""
"""A filter over a session `spark`; stock Spark and StreaMon find the same 33 rows."""

JOIN = """
import tempfile

provider = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
spark.conf.set("spark.sql.streaming.stateStore.providerClass", provider)
folder = tempfile.mkdtemp()
for name in ("a", "b", "c"):
    spark.range(6).selectExpr("id % 4 AS k", f"id AS {name}").write.parquet(f"{folder}/{name}")
    stream = spark.readStream.schema(f"k LONG, {name} LONG").parquet(f"{folder}/{name}")
    stream.createOrReplaceTempView(name)
joined = spark.sql("SELECT /*+ MJOIN */ * FROM a JOIN b USING (k) JOIN c USING (k)")
query = joined.writeStream.format("memory").queryName("out").trigger(availableNow=True).start()
query.awaitTermination()
names = [operator["operatorName"] for operator in query.lastProgress["stateOperators"]]
print("joined", spark.table("out").count(), *names)
"""
"""A join of three streams over a session `spark`; stock Spark and StreaMon find the same 18 rows."""

ADAPTIVE = "rows 33 adaptive 1\njoined 18 mjoin\n"
"""What `FILTER` and `JOIN` print with StreaMon."""

STOCK = "rows 33 adaptive 0\njoined 18 symmetricHashJoin symmetricHashJoin\n"
"""What they print without."""
