"""The wheel beside pyspark-client, which has no JVM, and beside no pyspark at all."""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyspark as installed
import pytest
from conftest import ROOT, SMALL
from connect_server import connect_server

import streamon
from streamon.needs import requirements_of

PROGRAM = """
import streamon
from pyspark.sql import SparkSession

spark = streamon.configure(SparkSession.builder.remote(ADDRESS), rocksdb=True).getOrCreate()
frame = spark.sql('''
    SELECT /*+ ADAPTIVE_FILTER */ id FROM range(1000)
    WHERE CAST(id AS STRING) RLIKE '^[0-9]*5$' AND id % 3 = 0''')
print("rows", len(frame.collect()), "evaluations", streamon.stats(spark).count() > 0)
print("rocksdb", "RocksDB" in spark.conf.get("spark.sql.streaming.stateStore.providerClass"))
print("refused", len(streamon.why_not(frame)))
print("adaptive", [one.operator.split()[0] for one in streamon.explain(frame)])
"""

SAID = """rows 33 evaluations True
rocksdb True
refused 0
adaptive ['AdaptiveFilter']
"""


@pytest.fixture(scope="module")
def scripts(wheel: Path) -> Iterator[Path]:
    """The bin folder of a virtual environment with the wheel alone."""
    with TemporaryDirectory(prefix="streamon-client-") as folder:
        venv.create(Path(folder, "venv"), with_pip=True)
        install(Path(folder, "venv", "bin"), str(wheel))
        yield Path(folder, "venv", "bin")


def install(scripts: Path, *what: str) -> None:
    subprocess.run([scripts / "pip", "install", "--no-compile", *what], check=True, capture_output=True)


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    # pyspark-client 4.2.0 imports a module of tests that looks for SPARK_HOME, though it needs nothing there.
    environment = {**os.environ, "SPARK_HOME": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.network
def test_first_without_and_then_with_the_client(scripts: Path, tmp_path: Path) -> None:
    """One environment for both, since each costs the time of an installation."""
    pyspark, client = requirements_of("spark"), requirements_of("client")
    needed = f"StreaMon needs a pyspark: `pip install {quoted(pyspark)}`, or `pip install {quoted(client)}`"
    said = run(scripts / "streamon", "jar")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith(f"streamon: {needed}")
    said = run(scripts / "python", "-c", "import streamon")
    assert said.stderr.splitlines()[-1].startswith(f"ModuleNotFoundError: {needed}")

    # The latest that is there for the server's version.
    install(scripts, *client, f"pyspark-client<={installed.__version__}")
    said = run(scripts / "streamon", "doctor")
    assert said.returncode == 0, said.stderr
    assert "✓ Spark: pyspark-client 4." in said.stdout
    settings = {**SMALL, "spark.jars": str(streamon.jar_path())}
    with connect_server(tmp_path, settings) as address:
        said = run(scripts / "python", "-c", PROGRAM.replace("ADDRESS", repr(address)))
        doctor = run(scripts / "streamon", "doctor", "--remote", address)
    assert said.stdout == SAID, said.stderr
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "✓ Spark: pyspark-client 4." in doctor.stdout
    assert "✓ filter: " in doctor.stdout
    assert doctor.stdout.splitlines()[-1].startswith("✓ table function: streamon_stats() has ")


def quoted(requirements: list[str]) -> str:
    return " ".join(f'"{requirement}"' for requirement in requirements)
