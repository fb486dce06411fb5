"""A cluster of Spark's master `local-cluster`: two executors, each a child process of the driver's."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pyspark
from pyspark.sql import SparkSession

import streamon

MASTER = "local-cluster[2,1,1024]"
ATTEMPTS = 2
PATIENCE = 120
"""Seconds that are waited for what is bound to happen."""


def pytest_in_a_process(tests: Path, folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a file in a process of their own, since a process has one master."""
    settings = {
        **os.environ,
        "SPARK_HOME": str(_home(folder)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    command = [sys.executable, "-m", "pytest", str(tests), "-rP", "--show-capture=stdout", *given]
    command += ["--basetemp", str(folder / "tests")]
    return subprocess.run(command, capture_output=True, text=True, env=settings, check=False)


def _home(folder: Path) -> Path:
    """The installed Spark once more: workers write into the folder that they take for it."""
    home = folder / "spark"
    home.mkdir()
    for entry in Path(pyspark.__file__).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    return home


@contextmanager
def local_cluster(folder: Path) -> Iterator[SparkSession]:
    """A session with StreaMon that begins when both executors are there."""
    builder = streamon.configure(SparkSession.builder.master(MASTER).appName("streamon tests"))
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.log.level": "OFF",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": f"{PATIENCE}s",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.task.maxFailures": str(ATTEMPTS),
    }.items():
        builder.config(key, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def executors() -> list[psutil.Process]:
    """The processes of the executors of this process's session."""
    return [p for p in psutil.Process().children(recursive=True) if is_executor(p)]


def is_executor(process: psutil.Process) -> bool:
    try:
        return any(word.endswith("CoarseGrainedExecutorBackend") for word in process.cmdline())
    except psutil.NoSuchProcess:
        return False


def executor_of(worker: int) -> psutil.Process:
    """The executor that a Python worker, by its process id, is of."""
    (found,) = [p for p in psutil.Process(worker).parents() if is_executor(p)]
    return found


def wait_until(happened: Callable[[], bool], pause: float = 0.02) -> None:
    """Look again and again; an error when it has not happened after `PATIENCE`."""
    for _ in range(int(PATIENCE / pause)):
        if happened():
            return
        time.sleep(pause)
    raise TimeoutError
