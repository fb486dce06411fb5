"""Loading StreaMon into a Spark session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyspark
from pyspark.sql import SparkSession

from streamon import jvm, submit
from streamon.errors import JarError, NotLoadedError
from streamon.jar import NAME, jar_path

EXTENSION = "org.streamon.spark.StreamonExtensions"


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Add StreaMon's jar and its extension to a session builder, and give the builder back.

    What the builder, a running JVM, `PYSPARK_SUBMIT_ARGS` or `spark-defaults.conf` already says of
    `spark.jars` and `spark.sql.extensions` is kept, and naming StreaMon twice does no harm. Nothing is
    downloaded. Where that has packages or `--jars`, `PYSPARK_SUBMIT_ARGS` is given StreaMon's jar: in a
    builder, `spark.jars` would take their place on the executors.
    A session that already runs with StreaMon is left as it is. A builder for a Spark Connect server
    elsewhere is left as it is too: there the server carries the jar.

    >>> spark = streamon.configure(SparkSession.builder).getOrCreate()  # doctest: +SKIP

    Raises:
        JarError: the package's own jar is missing or of another version, or `spark.jars` names another one.
        SparkVersionError: there is no jar for the installed pyspark, or a JVM runs with the jar for another.
        NotLoadedError: Spark runs already in this process, without StreaMon; a jar comes too late.
        VersionMismatchError: Spark runs already, with a StreaMon of another version.
    """
    options: dict[str, Any] = builder._options
    if _is_elsewhere(options):
        return builder
    jar = jar_path()
    running = jvm.running()
    if running is not None:
        if not jvm.is_loaded(running):
            raise NotLoadedError(
                "Spark already runs in this process without StreaMon, and a jar cannot be added to it any "
                "more: restart Python (or the notebook's kernel) and call streamon.configure before the "
                "first session, or start with `spark-submit --jars $(streamon jar)`."
            )
        jvm.check(running)
        if SparkSession.getActiveSession() is not None:
            return builder
        stated = dict(pyspark.SparkConf().getAll()) | options
        by_submit = False
    else:
        named = submit.settings()
        stated = _defaults() | named | options
        by_submit = "spark.jars" in named or "spark.jars.packages" in stated
        if by_submit:
            # Of `--jars` and packages spark-submit makes `spark.jars`, whose place the builder's would take.
            submit.name_jars(_with_jar((stated | named).get("spark.jars", ""), jar))
    builder.config("spark.sql.extensions", _with(stated.get("spark.sql.extensions", ""), EXTENSION))
    if not by_submit or "spark.jars" in options:
        builder.config("spark.jars", _with_jar(stated.get("spark.jars", ""), jar))
    return builder


def _is_elsewhere(options: dict[str, Any]) -> bool:
    """Whether the builder is for a Spark Connect server outside this process."""
    remote = str(options.get("spark.remote", os.environ.get("SPARK_REMOTE", "")))
    return remote.startswith("sc://") or jvm.is_remote_only()


def _with_jar(listed: str, jar: Path) -> str:
    """Append StreaMon's jar to a list of jars, unless a jar of its name is there already.

    Raises:
        JarError: the list has the jar of another version, or for another Spark. Which of the two would run
            is left to chance.
    """
    found = [item for item in _items(listed) if NAME.fullmatch(_file_of(item))]
    for other in found:
        if _file_of(other) != jar.name:
            raise JarError(
                f"The jars of this session have {other}, and on pyspark {pyspark.__version__} StreaMon needs "
                f"{jar}, which streamon.configure adds: take the first out of spark.jars or --jars."
            )
    return listed if found else _with(listed, str(jar))


def _file_of(jar: str) -> str:
    """The name of a file, of a path or a URI of any kind."""
    return unquote(jar).rsplit("/", 1)[-1]


def _items(listed: str) -> list[str]:
    return [item.strip() for item in listed.split(",") if item.strip()]


def _with(listed: str, value: str) -> str:
    """Append a value to a comma separated list, unless it is there already."""
    values = _items(listed)
    return ",".join(values if value in values else [*values, value])


def _defaults() -> dict[str, str]:
    """The settings of `spark-defaults.conf`."""
    home = os.environ.get("SPARK_HOME", Path(pyspark.__file__).parent)
    defaults = Path(os.environ.get("SPARK_CONF_DIR", Path(home) / "conf")) / "spark-defaults.conf"
    if not defaults.is_file():
        return {}
    lines = (text.strip() for text in defaults.read_text(encoding="utf-8").splitlines())
    pairs = (text.replace("=", " ", 1).split(None, 1) for text in lines if text and text[0] not in "#!")
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}
