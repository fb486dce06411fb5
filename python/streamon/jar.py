"""Where the jar is that this package carries, and which versions belong together."""

from __future__ import annotations

import re
from importlib.metadata import version as distribution_version
from pathlib import Path

from streamon.errors import JarError

SPARK_LINE = "4.2"
"""The Spark line (major.minor) that the jar is compiled against."""

SCALA_LINE = "2.13"
"""The Scala line of that Spark, part of the jar's name as is the custom."""

JARS = Path(__file__).parent / "jars"
"""The folder of the package in which its one jar lies."""


def version() -> str:
    """Version of this package, which is also the version of the jar that it carries."""
    return distribution_version("streamon")


def line(full_version: str) -> str:
    """The `major.minor` of a version, such as `4.2` of `4.2.0`."""
    found = re.match(r"\d+\.\d+", full_version)
    return found.group() if found else full_version


def jar_path() -> Path:
    """Absolute path of the jar, to pass to `spark-submit --jars` or `spark.jars`.

    Raises:
        JarError: the package carries no jar, or one of another version.
    """
    jar = JARS / f"streamon-spark-{SPARK_LINE}_{SCALA_LINE}-{version()}.jar"
    if jar.is_file():
        return jar
    others = ", ".join(sorted(other.name for other in JARS.glob("*.jar")))
    if others:
        raise JarError(
            f"StreaMon {version()} needs {jar.name} but its package holds {others}: reinstall it with "
            "`pip install --force-reinstall streamon`, or in a source checkout run `make jar`."
        )
    raise JarError(
        f"StreaMon's jar {jar.name} is missing from its package: reinstall it with "
        "`pip install --force-reinstall streamon`, or in a source checkout run `make jar`."
    )
