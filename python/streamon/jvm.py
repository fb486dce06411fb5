"""Access to StreaMon's classes in the JVM of a classic session.

For a missing class py4j only says `'JavaPackage' object is not callable`, so this module checks first.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

import pyspark
from pyspark.sql import SparkSession

from streamon.errors import NotLoadedError, SparkVersionError, VersionMismatchError
from streamon.jar import jar_path, line, version

LINE = "org.streamon.spark.SparkLine"
"""The class that knows which Spark its jar is for. It can be loaded on every Spark."""


def is_connect(thing: object) -> bool:
    """Whether a session, frame or query belongs to a Spark Connect client."""
    return type(thing).__module__.startswith("pyspark.sql.connect")


def is_remote_only() -> bool:
    """Whether this is pyspark-client, which has no JVM."""
    return bool(getattr(pyspark.util, "is_remote_only", bool)())  # not there before pyspark 4


def running() -> Any | None:
    """The JVM that this process is tied to, or None where the next session will start one."""
    from pyspark import SparkContext

    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" in os.environ:
        SparkContext._ensure_initialized()  # under spark-submit the JVM came first
    return None if SparkContext._gateway is None else SparkContext._jvm


def find_class(jvm: Any, name: str) -> Any:
    """The class of that name in the JVM, or a `JavaPackage` when there is none."""
    found = jvm
    for part in name.split("."):
        found = getattr(found, part)
    return found


def is_loaded(jvm: Any) -> bool:
    """Whether the JVM has StreaMon's jar."""
    from py4j.java_gateway import JavaPackage  # not there in a pure Connect client

    return not isinstance(find_class(jvm, LINE), JavaPackage)


def check(jvm: Any) -> None:
    """Check that StreaMon in the JVM has the version of this package and supports the Spark of the JVM.

    Raises:
        VersionMismatchError: the jar is of another version than this package.
        SparkVersionError: the jar is for another Spark, or there are several.
    """
    loaded = find_class(jvm, LINE)
    if loaded.version() != version():
        raise VersionMismatchError(
            f"The session runs StreaMon {loaded.version()} from its jar but the Python package is "
            f"{version()}: install the same version of both, or use the jar of the package, whose path "
            "`streamon jar` prints."
        )
    refusal = loaded.refusal()
    if refusal is not None:
        raise SparkVersionError(refusal)


def check_session(session: SparkSession) -> None:
    """Check that a classic session has StreaMon in the version of this package. Connect is not checked.

    Raises:
        NotLoadedError: the JVM does not have the jar.
        VersionMismatchError: it has the jar of another version.
        SparkVersionError: the jar is for another Spark, or there are several.
    """
    if is_connect(session):
        return
    if not is_loaded(session._jvm):
        raise NotLoadedError(NOT_LOADED)
    check(session._jvm)


def refuse(session: SparkSession) -> NoReturn:
    """Raise the reason why StreaMon is not active in a session or on a Connect server.

    Raises:
        NotLoadedError: it has no jar.
        VersionMismatchError: it has the jar of another version.
        SparkVersionError: the jar is for another Spark, there are several, or the server's Spark has none.
    """
    if is_connect(session):
        jar_path(session.version)
        raise NotLoadedError(
            "The Spark Connect server runs without StreaMon: start it with "
            f"`--jars $(streamon jar --spark {line(session.version)})`. If it has the jar already, its log "
            "gives the reason."
        )
    check_session(session)
    raise NotLoadedError(NOT_LOADED)


NOT_LOADED = (
    "This session runs without StreaMon: build it with "
    "streamon.configure(SparkSession.builder).getOrCreate(), or give spark-submit "
    "`--jars $(streamon jar)`."
)
