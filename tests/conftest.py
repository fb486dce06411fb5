"""Two small Spark sessions for all tests of this process: a classic one, and one over Spark Connect."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import class_archive
import hypothesis
import pytest
from connect_server import connect_server
from pyspark.sql import SparkSession

import streamon
from streamon import checkpoint_files
from streamon_lab.bench.session import WORKAROUNDS

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ.setdefault("SPARK_SUBMIT_OPTS", class_archive.options())

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("streamon", deadline=None)
hypothesis.settings.load_profile("streamon")

ROOT = Path(__file__).parents[1]
SMALL = {
    **WORKAROUNDS,
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    # Spark's own starts processes for each file of a checkpoint, where Hadoop has no native library.
    checkpoint_files.CONF: checkpoint_files.LOCAL,
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session configured as a user would, its warehouse in a folder that goes away."""
    builder = streamon.configure(SparkSession.builder.appName("streamon tests"))
    for key, value in SMALL.items():
        builder.config(key, value)
    builder.config("spark.log.level", "ERROR")
    # The benches read processor time from stages, which Spark forgets after a thousand.
    builder.config("spark.ui.retainedJobs", "100000").config("spark.ui.retainedStages", "100000")
    builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Connect server that has the jar and names no extension: ServiceLoader finds it."""
    folder = tmp_path_factory.mktemp("connect")
    settings = {
        **SMALL,
        "spark.jars": str(streamon.jar_path()),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    with connect_server(folder, settings) as address:
        yield address


@pytest.fixture(scope="session")
def remote(server: str) -> Iterator[SparkSession]:
    """A Connect client."""
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    session = RemoteSession.builder.remote(server).create()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of streamon, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build(ROOT, folder, "--wheel")
    (built,) = folder.glob("*.whl")
    return built


def build(project: Path, folder: Path, *options: str) -> None:
    """Build distributions of a project into a folder: a source archive and a wheel from it, unless told."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        *options,
        "--outdir",
        str(folder),
        str(project),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(params=["spark", "remote"], ids=["classic", "connect"])
def anywhere(request: pytest.FixtureRequest) -> SparkSession:
    """The classic session and the Connect client, one after the other: what SQL and confs do, both do."""
    session: SparkSession = request.getfixturevalue(request.param)
    return session


@pytest.fixture
def settings(spark: SparkSession) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Sets confs of the classic session for one test."""
    changed: list[str] = []

    def change(values: dict[str, Any]) -> None:
        for key, value in values.items():
            spark.conf.set(key, str(value))
            changed.append(key)

    yield change
    for key in changed:
        spark.conf.unset(key)
