"""What the package needs beside itself. Says that pyspark is missing, before other modules look for it.

It depends on no pyspark, since it takes either of two that exclude each other: `pyspark`, or
`pyspark-client`, which has no JVM.
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
        f"or `pip install {client}` where there is no JVM, for Spark Connect."
    )
    if Path(sys.argv[0]).name == "streamon":
        raise SystemExit(f"streamon: {missing}")
    raise ModuleNotFoundError(missing, name="pyspark")
