"""Checks that StreaMon can work here: one line for each thing it needs, and the fix for what is wrong."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator

import pyspark
from pyspark.sql import SparkSession

from streamon import checkpoint_files, jvm
from streamon.cli.lines import show
from streamon.errors import NotLoadedError, StreamonError
from streamon.jar import jar_path, version
from streamon.java import java
from streamon.session import configure

SMALL = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.log.level": "ERROR",
}

QUERY = """
SELECT count(*) AS n FROM (
  SELECT /*+ ADAPTIVE_FILTER */ id FROM range(1000)
  WHERE CAST(id AS STRING) RLIKE '^[0-9]*5$' AND id % 3 = 0
)"""
"""Of the numbers below 1000, those that end in 5 and are divisible by 3."""

ANSWER = sum(1 for n in range(1000) if n % 10 == 5 and n % 3 == 0)


def run_doctor() -> bool:
    """Print a line for each check. A check that fails ends the round, since the next ones need it."""
    for name, check in _checks():
        try:
            found = check()
        except StreamonError as error:
            show(False, name, str(error))
            return False
        show(True, name, found)
    return True


def _checks() -> Iterator[tuple[str, Callable[[], str]]]:
    yield "StreaMon", version
    yield "Python", platform.python_version
    if jvm.is_remote_only():
        yield "Spark", lambda: f"pyspark-client {pyspark.__version__}, without a JVM"
        yield "jar for a server of this version", lambda: str(jar_path())
        return
    yield "Java", lambda: f"{java()[1]} ({java()[0]})"
    yield "Spark", lambda: f"pyspark {pyspark.__version__}"
    yield "jar", lambda: str(jar_path())
    yield "query", _query
    # The JVM of the query is still there.
    yield "checkpoint files", lambda: checkpoint_files.advice(jvm.running())


def _query() -> str:
    """Start a small session, run the query, and see that the adaptive operator ran it."""
    builder = configure(SparkSession.builder.master("local[1]").appName("streamon doctor"))
    for key, value in SMALL.items():
        builder.config(key, value)
    spark = builder.getOrCreate()
    try:
        frame = spark.sql(QUERY)
        jvm.check(spark._jvm)
        answer = frame.first()
        if answer is None or answer["n"] != ANSWER:
            raise StreamonError(f"The query answered {answer} and not {ANSWER}: please report this.")
        plan = frame._jdf.queryExecution().executedPlan().toString()
        if "AdaptiveFilter" not in plan:
            raise NotLoadedError(
                "The query ran without its adaptive operator: look for spark.streamon settings in "
                f"spark-defaults.conf that turn it off. The plan was:\n{plan}"
            )
    finally:
        spark.stop()
    return f"an adaptive filter found {ANSWER} rows of 1000"
