"""Lists of jars as `spark.jars` has them: paths and URIs, separated by commas."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyspark

from streamon.errors import JarError
from streamon.jar import NAME


def union(*lists: str) -> str:
    """All jars of some lists in their order, each once. `/a.jar` and `file:///a.jar` are the same."""
    found: dict[str, str] = {}
    for jar in (jar for listed in lists for jar in items(listed)):
        found.setdefault(_uri(jar), jar)
    return ",".join(found.values())


def names(listed: str, jar: Path) -> bool:
    """Whether a list has StreaMon's jar, from whichever place.

    Raises:
        JarError: it has one of another version, or for another Spark.
    """
    found = [item for item in items(listed) if NAME.fullmatch(_file_of(item))]
    for other in found:
        if _file_of(other) != jar.name:
            raise JarError(
                f"The jars of this session have {other}, and on pyspark {pyspark.__version__} StreaMon needs "
                f"{jar}, which streamon.configure adds: take the first out of spark.jars or --jars, and "
                "restart Python."
            )
    return bool(found)


def items(listed: str) -> list[str]:
    """The jars of a list."""
    return [item.strip() for item in listed.split(",") if item.strip()]


def _file_of(jar: str) -> str:
    """The name of a file, of a path or a URI of any kind."""
    return unquote(jar).rsplit("/", 1)[-1]


def _uri(jar: str) -> str:
    """One text for all the ways to name a local file; another URI is left as it is."""
    scheme, _, path, *_ = urlsplit(jar)
    if scheme == "file":
        return Path(unquote(path)).absolute().as_uri()
    return jar if scheme else Path(jar).absolute().as_uri()
