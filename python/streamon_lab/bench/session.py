"""The Spark session that every variant of a run shares, and what it runs on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from pyspark.sql import SparkSession

from streamon import checkpoint_files

WORKAROUNDS = (
    # SPARK-58241: a query that hands columns to an `@udf` over Arrow never ends.
    {"spark.sql.execution.arrow.pythonUDF.columnarInput.enabled": "false"}
    if version("pyspark") == "4.2.0"
    else {}
)
"""Settings without which this version of Spark does not run what the benches run."""

CONF = {
    **WORKAROUNDS,
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    # Seconds. Stores are closed between runs, and their maintenance may wait for the lock that is held then.
    "spark.sql.streaming.stateStore.maintenanceShutdownTimeout": "5",
    # What is measured is read from the progress of all micro-batches.
    "spark.sql.streaming.numRecentProgressUpdates": "10000",
    # Processor time is read from the stages of a whole run.
    "spark.ui.retainedJobs": "100000",
    "spark.ui.retainedStages": "100000",
    # A query with hundreds of stages would push the code of all other variants out.
    "spark.sql.codegen.cache.maxEntries": "2000",
    "spark.log.level": "ERROR",
}


def bench_session(*, cores: int, adaptive: bool, memory: str = CONF["spark.driver.memory"]) -> SparkSession:
    """A local session.

    Args:
        cores: threads for tasks.
        adaptive: whether StreaMon is loaded in it as well.
        memory: of the driver, such as `4g`.
    """
    builder = SparkSession.builder.master(f"local[{cores}]").appName("streamon bench")
    for key, value in {**CONF, "spark.driver.memory": memory}.items():
        builder = builder.config(key, value)
    if adaptive:
        import streamon

        # A run begins with nothing learned: how fast an order is found is part of what is measured.
        builder = streamon.configure(builder).config("spark.streamon.learning.enabled", "false")
        # For all engines: where Hadoop has no native library, Spark's own starts processes for each file.
        builder = builder.config(checkpoint_files.CONF, checkpoint_files.LOCAL)
    return builder.getOrCreate()


@contextmanager
def settings(spark: SparkSession, conf: Mapping[str, str]) -> Iterator[None]:
    """Settings that hold for a while and are taken back then."""
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key in conf:
            spark.conf.unset(key)


def environment(spark: SparkSession, cores: int) -> dict[str, str | int | float]:
    """What a reader needs to know of the machine and the versions."""
    jvm: Any = spark._jvm
    return {
        "spark": spark.version,
        "java": jvm.System.getProperty("java.version"),
        "python": platform.python_version(),
        "duckdb": version("duckdb"),
        "system": f"{platform.system()} {platform.machine()}",
        "machine_cores": os.cpu_count() or 0,
        "spark_cores": cores,
        "driver_memory": spark.conf.get("spark.driver.memory") or "",
        "load_average_at_start": round(os.getloadavg()[0], 2),
    }
