"""`streamon doctor`: what it finds well, and what it says of what is wrong."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from streamon.checks.filters import check_filter, check_table
from streamon.checks.streams import check_mjoin, check_state_store
from streamon.cli.doctor import run_doctor
from streamon.errors import NotLoadedError, StreamonError
from streamon.java import java
from streamon.state_store import PROVIDER, SETTINGS

HDFS = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"

Settings = Callable[[dict[str, Any]], None]


def test_a_filter_and_a_table_are_well(anywhere: SparkSession) -> None:
    assert check_filter(anywhere) == "an adaptive filter found 33 rows of 1000"
    assert re.fullmatch(r"streamon_stats\(\) has \d+ rows", check_table(anywhere))


def test_streams_are_well(spark: SparkSession, settings: Settings) -> None:
    settings(SETTINGS)
    assert check_state_store(spark) == "a stream counted its rows with RocksDB"
    assert check_mjoin(spark) == "an MJoin of three streams found 18 rows"
    assert [table.name for table in spark.catalog.listTables() if "doctor" in table.name] == []


def test_a_filter_that_is_not_adaptive_is_found(anywhere: SparkSession) -> None:
    anywhere.conf.set("spark.streamon.enabled", "false")
    try:
        with pytest.raises(NotLoadedError, match="The filter ran without its adaptive operator"):
            check_filter(anywhere)
    finally:
        anywhere.conf.unset("spark.streamon.enabled")


def test_a_join_without_an_mjoin_is_found(spark: SparkSession, settings: Settings) -> None:
    settings({**SETTINGS, "spark.streamon.enabled": "false"})
    with pytest.raises(NotLoadedError, match="Three streams were joined without an MJoin"):
        check_mjoin(spark)


def test_another_state_store_is_found(spark: SparkSession, settings: Settings) -> None:
    settings({PROVIDER: HDFS})
    with pytest.raises(StreamonError, match="ran on another state store than RocksDB"):
        check_state_store(spark)


def test_a_state_store_that_does_not_open_is_found(spark: SparkSession, settings: Settings) -> None:
    settings({PROVIDER: "no.such.Provider"})
    with pytest.raises(StreamonError, match=r"(?s)A small stream failed: .*no\.such\.Provider"):
        check_state_store(spark)


@pytest.mark.parametrize(
    ("check", "known", "said"),
    [
        (check_filter, "streamon.checks.filters.ANSWER", r"found 33 rows of 1000 and not 1: please report"),
        (check_state_store, "streamon.checks.streams.COUNTS", r"and not \[0\]: please report"),
        (check_mjoin, "streamon.checks.streams.JOINED", r"found 18 rows and not 1: please report"),
    ],
)
def test_a_wrong_answer_is_found(
    spark: SparkSession,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    check: Callable[[SparkSession], str],
    known: str,
    said: str,
) -> None:
    settings(SETTINGS)
    monkeypatch.setattr(known, [0])
    with pytest.raises(StreamonError, match=said):
        check(spark)


def test_a_server_is_well(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_doctor(server)
    names = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [
        f"✓ {name}" for name in ("StreaMon", "Python", "Spark", "server", "filter", "table function")
    ]


def test_the_server_of_the_environment_is_checked(
    server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", server)
    assert run_doctor()
    assert "✓ server: Spark" in capsys.readouterr().out


def test_a_server_that_is_not_there_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    assert not run_doctor(f"sc://127.0.0.1:{port}")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"✗ server: No Spark Connect server answers at 127.0.0.1:{port} (")


@pytest.mark.parametrize("remote", ["localhost:15002", "http://a", "sc://", "sc://a:port", "local[2]"])
def test_what_is_no_address_is_refused(remote: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not run_doctor(remote)
    assert f"✗ server: `{remote}` is no address of a Spark Connect server" in capsys.readouterr().out


def test_an_error_of_any_kind_is_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise RuntimeError("no luck")

    monkeypatch.setattr("streamon.cli.doctor.version", fails)
    assert not run_doctor()
    assert capsys.readouterr().out == "✗ StreaMon: RuntimeError: no luck\n"


def fake_java(folder: Path, otherwise: str) -> Path:
    """A JAVA_HOME whose java tells a version, and else runs a line of shell."""
    java = folder / "bin" / "java"
    java.parent.mkdir()
    version = "echo 'openjdk version \"17.0.2\"' >&2"
    java.write_text(f'#!/bin/sh\nif [ "$1" = -version ]; then {version}; exit; fi\n{otherwise}\n')
    java.chmod(0o755)
    return folder


LAUNCH = f'case "$*" in *launcher.Main*) exec {java()[0]} "$@";; esac'
"""Lets Spark's launcher put its command together by a real Java."""

DOCTOR = """
import sys
from streamon.checks import spark
from streamon.cli.doctor import run_doctor

spark.PATIENCE = {patience}
sys.exit(0 if run_doctor() else 1)
"""


def doctor(patience: float = 300, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", DOCTOR.format(patience=patience)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_what_java_says_is_shown_where_it_does_not_start(tmp_path: Path) -> None:
    home = fake_java(tmp_path, "echo Could not reserve enough space >&2; exit 1")
    said = doctor(JAVA_HOME=str(home))
    assert said.returncode == 1
    assert "✗ session: Spark did not start. The last lines of what Java said:\n" in said.stdout
    assert said.stdout.endswith("  Could not reserve enough space\n")
    assert said.stderr == ""


def test_a_java_that_says_nothing_is_found(tmp_path: Path) -> None:
    said = doctor(JAVA_HOME=str(fake_java(tmp_path, f"{LAUNCH}; exit 1")))
    assert said.returncode == 1
    assert said.stdout.splitlines()[-1].endswith(
        "Java said nothing: check JAVA_HOME and PYSPARK_SUBMIT_ARGS."
    )
    assert said.stderr == ""


def test_a_java_that_never_answers_is_given_up(tmp_path: Path) -> None:
    """PySpark would wait for ever."""
    said = doctor(5, JAVA_HOME=str(fake_java(tmp_path, f"{LAUNCH}; echo only a version")))
    assert said.returncode == 1
    assert said.stdout.endswith("  only a version\n")
    assert said.stderr == ""


def test_a_spark_that_does_not_start_in_java_is_found() -> None:
    said = doctor(PYSPARK_SUBMIT_ARGS="--conf spark.executor.memory=1 pyspark-shell")
    assert said.returncode == 1
    assert "✗ session: Spark did not start. The last lines of what Java said:\n" in said.stdout
    assert "Executor memory 1 must be at least" in said.stdout
    assert said.stderr == ""
