"""Checks that StreaMon can work here: one line for each thing it needs, and the fix for what is wrong."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pyspark
from pyspark.sql import SparkSession

from streamon import checkpoint_files, jvm
from streamon.checks.filters import check_filter, check_table
from streamon.checks.server import remote_session
from streamon.checks.spark import small_session
from streamon.checks.streams import check_mjoin, check_state_store
from streamon.cli.lines import show
from streamon.errors import StreamonError
from streamon.jar import jar_path, version
from streamon.java import java

Check = tuple[str, Callable[[], str]]


def run_doctor(remote: str | None = None) -> bool:
    """Print a line for each check, and return whether all went well.

    A check that fails ends the round, since the next ones need it.

    Args:
        remote: the address of a Spark Connect server, such as `sc://host:15002`. Its checks take the place of
            those of Java and of a session in this process. SPARK_REMOTE stands for it, where that has one.
    """
    named = os.environ.get("SPARK_REMOTE", "")
    server = remote or (named if named.startswith("sc://") else None)
    with ExitStack() as opened:
        for name, check in _checks(server, opened):
            try:
                said = check()
            except StreamonError as error:
                show(False, name, str(error))
                return False
            except Exception as error:
                show(False, name, f"{type(error).__name__}: {error}")
                return False
            show(True, name, said)
    return True


def _checks(remote: str | None, opened: ExitStack) -> Iterator[Check]:
    """The checks in their order. What they open is closed with the stack."""
    yield "StreaMon", version
    yield "Python", platform.python_version
    if remote is not None:
        yield from _of_server(remote, opened)
    elif jvm.is_remote_only():
        yield "Spark", lambda: f"pyspark-client {pyspark.__version__}, without a JVM"
        yield "jar for a server of this version", lambda: str(jar_path())
    else:
        yield from _of_process(opened)


def _of_process(opened: ExitStack) -> Iterator[Check]:
    """Of Java, and of a session with StreaMon in this process."""
    yield "Java", lambda: f"{java()[1]} ({java()[0]})"
    yield "Spark", lambda: f"pyspark {pyspark.__version__}"
    yield "jar", lambda: str(jar_path())
    session: SparkSession

    def start() -> str:
        nonlocal session
        session = opened.enter_context(small_session())
        return f"Spark {session.version} starts with StreaMon"

    yield "session", start
    yield "filter", lambda: check_filter(session)
    yield "RocksDB", lambda: check_state_store(session)
    yield "MJoin", lambda: check_mjoin(session)
    yield "checkpoint files", lambda: checkpoint_files.advice(jvm.running())


def _of_server(remote: str, opened: ExitStack) -> Iterator[Check]:
    """Of a Spark Connect server, over the wire."""
    client = "pyspark-client" if jvm.is_remote_only() else "pyspark"
    yield "Spark", lambda: f"{client} {pyspark.__version__}"
    session: SparkSession

    def connect() -> str:
        nonlocal session
        session = opened.enter_context(remote_session(remote))
        return f"Spark {session.version} at {remote}"

    yield "server", connect
    yield "filter", lambda: check_filter(session)
    yield "table function", lambda: check_table(session)
