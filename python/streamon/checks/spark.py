"""A small session for the checks, and what Java says where Spark does not start."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from streamon import jvm, loading
from streamon.errors import JavaError
from streamon.session import configure
from streamon.state_store import SETTINGS

SMALL = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}

PATIENCE = 300
"""Seconds in which Java must answer. It also downloads the packages of `spark-defaults.conf` in this time."""

LAST_LINES = 12

NOISE = re.compile(r"\s+at |.*/spark-class: line \d+: ")
"""Lines of stack traces, and what Spark's shell script says of itself after Java has failed."""


@contextmanager
def small_session() -> Iterator[SparkSession]:
    """A session with StreaMon and RocksDB on one core, stopped in the end. What Spark logs is not shown.

    Raises:
        JavaError: Spark did not start. The message has the last lines of what Java said.
        StreamonError: whatever `configure` raises.
    """
    builder = SparkSession.builder.master("local[1]").appName("streamon doctor")
    for key, value in (SMALL | SETTINGS).items():
        builder.config(key, value)
    configure(builder)
    with tempfile.TemporaryDirectory(prefix="streamon-doctor-") as folder:
        log = Path(folder, "java.log")
        _start(builder, log)
        session = _session(builder, log)
        try:
            yield session
        finally:
            session.stop()


def _start(builder: SparkSession.Builder, log: Path) -> None:
    """Start the JVM, which writes into the log file, unless spark-submit started it before this program.

    Raises:
        JavaError: it ended, or it did not answer in time.
    """
    if jvm.running() is not None:
        return
    failed: list[BaseException] = []

    def start() -> None:
        with log.open("wb") as said:
            try:
                loading.start_jvm(builder._options, said)
            except (PySparkException, OSError) as error:
                failed.append(error)

    # PySpark waits for ever for a JVM that ends without an error, such as one that only prints its version.
    starting = Thread(target=start, daemon=True)
    starting.start()
    starting.join(PATIENCE)
    if failed or starting.is_alive():
        raise JavaError(_refusal(log)) from (failed[0] if failed else None)


def _session(builder: SparkSession.Builder, log: Path) -> SparkSession:
    """The session of the builder.

    Raises:
        JavaError: Spark did not start in the JVM.
    """
    from py4j.protocol import Py4JError  # not there in a pure Connect client

    try:
        return builder.getOrCreate()
    except (Py4JError, PySparkException, OSError) as error:
        raise JavaError(_refusal(log, str(error))) from error


def _refusal(log: Path, error: str = "") -> str:
    """One sentence, and the last lines of what Java said."""
    said = [*log.read_text(encoding="utf-8", errors="replace").splitlines(), *error.splitlines()]
    last = [line for line in said if line.strip() and not NOISE.match(line)][-LAST_LINES:]
    if not last:
        return "Spark did not start, and Java said nothing: check JAVA_HOME and PYSPARK_SUBMIT_ARGS."
    shown = (f"  {line}" for line in last)
    return "\n".join(["Spark did not start. The last lines of what Java said:", *shown])
