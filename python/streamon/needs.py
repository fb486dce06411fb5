"""A check that pyspark is installed, with a message that says how to install it.

The package itself does not depend on pyspark: it works with `pyspark` or with `pyspark-client`, which has no
JVM, and these two exclude each other.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path


def requirements_of(extra: str) -> list[str]:
    """What an extra adds, as this package's own metadata has it, such as `pyspark<4.4,>=4.2`."""
    wanted = re.compile(rf"(?P<requirement>.*?)\s*;.*extra == ['\"]{extra}['\"]")
    return [found["requirement"] for found in map(wanted.fullmatch, requires("streamon") or []) if found]


if find_spec("pyspark") is None:
    pyspark, client = (
        " ".join(f'"{requirement}"' for requirement in requirements_of(extra))
        for extra in ("spark", "client")
    )
    missing = (
        f"StreaMon needs a pyspark: `pip install {pyspark}`, "
        f"or `pip install {client}` for Spark Connect without a JVM."
    )
    if Path(sys.argv[0]).name == "streamon":
        raise SystemExit(f"streamon: {missing}")
    raise ModuleNotFoundError(missing, name="pyspark")
