"""What `PYSPARK_SUBMIT_ARGS` tells the spark-submit by which PySpark starts its JVM."""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentError, ArgumentParser

VARIABLE = "PYSPARK_SUBMIT_ARGS"


def settings() -> dict[str, str]:
    """Its settings by `--conf`, and by `--jars` and `--packages`, which spark-submit puts before those.

    Empty where it cannot be read: PySpark and spark-submit say so in their own words.
    """
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--conf", "-c", action="append", default=[])
    parser.add_argument("--jars", dest="spark.jars")
    parser.add_argument("--packages", dest="spark.jars.packages")
    try:
        found = vars(parser.parse_known_args(shlex.split(os.environ.get(VARIABLE, "")))[0])
    except (ArgumentError, ValueError):
        return {}
    confs = dict(conf.split("=", 1) for conf in found.pop("conf") if "=" in conf)
    return confs | {key: value for key, value in found.items() if value is not None}


def name_jars(jars: str) -> None:
    """Let it name these jars, comma separated, in place of those that it names."""
    if settings().get("spark.jars") != jars:
        *options, program = shlex.split(os.environ.get(VARIABLE) or "pyspark-shell")
        os.environ[VARIABLE] = shlex.join([*options, "--jars", jars, program])
