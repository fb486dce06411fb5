"""The way from a classic session to StreaMon's objects in its JVM, checked before it is used.

py4j answers a class that is not there with `'JavaPackage' object is not callable`; this module asks first.
"""

from __future__ import annotations

import os
from typing import Any

from py4j.java_gateway import JavaPackage
from pyspark.sql import DataFrame, SparkSession

from streamon.errors import ConnectError, NotLoadedError, SparkVersionError, VersionMismatchError
from streamon.jar import SPARK_LINE, line, version

API = "org.streamon.spark.StreamonApi"


def is_connect(thing: object) -> bool:
    """Whether a session, frame or query belongs to a Spark Connect client."""
    return type(thing).__module__.startswith("pyspark.sql.connect")


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


def has_class(jvm: Any, name: str) -> bool:
    """Whether the JVM can load the class of that name."""
    return not isinstance(find_class(jvm, name), JavaPackage)


def check_version(jvm: Any) -> None:
    """Raise VersionMismatchError when the JVM's StreaMon is not of this package's version."""
    there = find_class(jvm, API).version()
    if there != version():
        raise VersionMismatchError(
            f"The session runs StreaMon {there} from its jar but the Python package is {version()}: "
            f"install the same version of both, with `pip install streamon=={there}` or by giving Spark "
            "the package's own jar (`streamon jar` prints its path)."
        )


def api(frame: DataFrame, call: str) -> Any:
    """The JVM side's entry point for a frame of a classic session.

    Args:
        frame: the DataFrame in question.
        call: the public function that asks, for the message.

    Raises:
        ConnectError: the frame is of a Spark Connect client.
        NotLoadedError: the JVM does not have the jar.
        VersionMismatchError: it has the jar of another version.
        SparkVersionError: the session's Spark is not of the line that the jar is built for.
    """
    if is_connect(frame):
        raise ConnectError(
            f"{call} needs the session's JVM, which a Spark Connect client does not have: use df.explain(), "
            "streamon.decisions(spark) and streamon.stats(spark), or run this query in a classic session."
        )
    session: SparkSession = frame.sparkSession
    jvm = session._jvm
    if not has_class(jvm, API):
        raise NotLoadedError(NOT_LOADED)
    check_version(jvm)
    if line(session.version) != SPARK_LINE:
        raise SparkVersionError(
            f"StreaMon {version()} is built for Spark {SPARK_LINE} and the session runs Spark "
            f"{session.version}: run it on Spark {SPARK_LINE}, or install the StreaMon that is built for "
            f"Spark {line(session.version)}."
        )
    return find_class(jvm, API)


NOT_LOADED = (
    "This session runs without StreaMon: build it with "
    "streamon.configure(SparkSession.builder).getOrCreate(), or give its server or spark-submit "
    "`--jars $(streamon jar)`."
)
