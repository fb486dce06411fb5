"""The way from a classic session to StreaMon's objects in its JVM, checked before it is used.

py4j answers a class that is not there with `'JavaPackage' object is not callable`; this module asks first.
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
    """See that the JVM's StreaMon is of this package's version, and that it works on the JVM's Spark.

    Raises:
        VersionMismatchError: the jar is of another version than this package.
        SparkVersionError: the jar is for another Spark, or there are several.
    """
    loaded = find_class(jvm, LINE)
    if loaded.version() != version():
        raise VersionMismatchError(
            f"The session runs StreaMon {loaded.version()} from its jar but the Python package is "
            f"{version()}: install the same version of both, or give Spark the package's own jar, whose path "
            "`streamon jar` prints."
        )
    refusal = loaded.refusal()
    if refusal is not None:
        raise SparkVersionError(refusal)


def check_session(session: SparkSession) -> None:
    """See that a classic session has StreaMon, of this package's version. A Connect client cannot look.

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
    """Raise the reason why a session, or the server of a Connect client, knows nothing of StreaMon.

    Raises:
        NotLoadedError: it has no jar.
        VersionMismatchError: it has the jar of another version.
        SparkVersionError: the jar is for another Spark, there are several, or the server's Spark has none.
    """
    if is_connect(session):
        jar_path(session.version)
        raise NotLoadedError(
            "The Spark Connect server runs without StreaMon: start it with "
            f"`--jars $(streamon jar --spark {line(session.version)})`. If it has the jar, its log says why "
            "StreaMon does nothing there."
        )
    check_session(session)
    raise NotLoadedError(NOT_LOADED)


NOT_LOADED = (
    "This session runs without StreaMon: build it with "
    "streamon.configure(SparkSession.builder).getOrCreate(), or give spark-submit "
    "`--jars $(streamon jar)`."
)
