"""The jars in this package, one for each line of Spark."""

from __future__ import annotations

import re
from importlib.metadata import version as distribution_version
from pathlib import Path

import pyspark

from streamon.arguments import wrong
from streamon.errors import JarError, SparkVersionError

SCALA_LINE = "2.13"
"""The Scala line of the Sparks that the jars are for, part of their names as is the custom."""

JARS = Path(__file__).parent / "jars"
"""The folder of the package in which its jars lie."""

REINSTALL = "reinstall StreaMon from its wheel, or in a source checkout run `make jar`"


def version() -> str:
    """Version of this package and of its jars."""
    return distribution_version("streamon")


def line(full_version: str) -> str:
    """The `major.minor` of a version, such as `4.3` of `4.3.0`; the text itself where it is no version."""
    found = re.fullmatch(r"(\d+\.\d+)(\.\w.*)?", full_version.strip())
    return found.group(1) if found else full_version


def jar_path(spark: str | None = None) -> Path:
    """Absolute path of a jar, to pass to `spark-submit --jars` or `spark.jars`.

    Args:
        spark: the Spark that the jar is for: a line such as `4.2`, or a version such as `4.2.1`. Default: the
            installed pyspark.

    Raises:
        ArgumentError: `spark` is neither text nor None.
        JarError: the package has no jar, or only jars of another version.
        SparkVersionError: the package has no jar for that line.
    """
    if spark is not None and not isinstance(spark, str):
        raise wrong("streamon.jar_path", 'a version of Spark as text such as "4.3", or None', spark)
    wanted = _named(line(pyspark.__version__ if spark is None else spark))
    if wanted.is_file():
        return wanted
    others = sorted(JARS.glob("*.jar"))
    if not others:
        raise JarError(f"StreaMon's jar {wanted.name} is missing from its package: {REINSTALL}.")
    if not supported():
        found = ", ".join(other.name for other in others)
        raise JarError(
            f"StreaMon {version()} needs {wanted.name} but its package holds {found}: {REINSTALL}."
        )
    carried = f"StreaMon {version()} has jars for Spark {' and '.join(supported())}"
    if spark is not None:
        raise SparkVersionError(f"{carried}, and none for Spark `{spark}`: use a supported version.")
    raise SparkVersionError(
        f"{carried}, and this is pyspark {pyspark.__version__}: "
        f'install a supported version, such as `pip install "pyspark~={supported()[-1]}.0"`.'
    )


def supported() -> list[str]:
    """The lines of Spark for which the package carries a jar of its own version, oldest first."""
    lines = [found["line"] for jar in JARS.glob("*.jar") if (found := NAME.fullmatch(jar.name))]
    return sorted(
        (one for one in lines if _named(one).is_file()), key=lambda one: [*map(int, one.split("."))]
    )


NAME = re.compile(rf"streamon-spark-(?P<line>\d+\.\d+)_{re.escape(SCALA_LINE)}-(?P<version>.+)\.jar")
"""What jars of StreaMon are called."""


def _named(spark: str) -> Path:
    return JARS / f"streamon-spark-{spark}_{SCALA_LINE}-{version()}.jar"
