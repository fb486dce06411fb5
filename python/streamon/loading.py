"""Giving StreaMon's jar to the JVM of this process, as `spark-submit --jars` would.

spark-submit decides what the JVM has: it reads `spark-defaults.conf`, properties files and
`PYSPARK_SUBMIT_ARGS`, and resolves packages. So the JVM starts first, with what the user asked for, and the
jar comes after that: nothing has to be read, merged or guessed here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from streamon import jar_list, jvm, remote
from streamon.errors import NotLoadedError

JARS = "spark.jars"


def start_jvm(options: Mapping[str, Any], said: Any = None) -> None:
    """Start the JVM with a builder's options, as its `getOrCreate` would.

    Args:
        options: those of the builder.
        said: the open file to which the JVM writes instead of this process's stdout and stderr.

    Raises:
        PySparkRuntimeError: the JVM ended before it answered.
    """
    from pyspark import SparkConf, SparkContext  # a pure Connect client has neither this nor the next
    from pyspark.java_gateway import launch_gateway

    conf = SparkConf(loadDefaults=False)
    for key, value in options.items():
        if key not in remote.MODE_KEYS:
            conf.set(key, value)
    server = remote.address(options)
    if server is not None:
        conf.set("spark.master", server)
    with _without_remote():
        output = {} if said is None else {"stdout": said, "stderr": said}
        gateway = launch_gateway(conf, output)  # type: ignore[no-untyped-call]
        SparkContext._ensure_initialized(gateway=gateway)


def load(virtual: Any, jar: Path) -> None:
    """Put the jar on the class path of a JVM in which no session runs, and among the jars of its sessions.

    Leaves a JVM alone that has StreaMon's jar already, from wherever.

    Raises:
        JarError: `spark.jars` names the jar of another version, or for another Spark.
        NotLoadedError: the JVM's class path cannot be changed.
        SparkVersionError: the JVM has a jar for another Spark, or several.
        VersionMismatchError: it has the jar of another version.
    """
    from py4j.protocol import Py4JError

    properties = virtual.java.lang.System
    stated = properties.getProperty(JARS) or ""
    jar_list.names(stated, jar)
    if not jvm.is_loaded(virtual):
        loader = virtual.java.lang.Thread.currentThread().getContextClassLoader()
        try:
            loader.addURL(virtual.java.io.File(str(jar)).toURI().toURL())
        except Py4JError:
            raise NotLoadedError(
                "This JVM takes no jar any more, since spark-submit did not start it: give it "
                "StreaMon's jar when it starts, as in `spark-submit --jars $(streamon jar)`."
            ) from None
        properties.setProperty(JARS, jar_list.union(stated, str(jar)))
    jvm.check(virtual)


def keep_jars(builder: SparkSession.Builder, virtual: Any) -> None:
    """See that a builder's own `spark.jars` does not take the place of those that the JVM was given."""
    listed = builder._options.get(JARS)
    given = virtual.java.lang.System.getProperty(JARS)
    if listed is not None and given:
        builder.config(JARS, jar_list.union(given, listed))


@contextmanager
def _without_remote() -> Iterator[None]:
    """Hide SPARK_REMOTE from spark-submit, as PySpark does: the JVM is to be the server."""
    hidden = os.environ.pop("SPARK_REMOTE", None)
    try:
        yield
    finally:
        if hidden is not None:
            os.environ["SPARK_REMOTE"] = hidden
