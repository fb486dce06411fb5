"""Small Python programs in a process of their own, as a user starts them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

START = """
from pyspark.sql import SparkSession
import streamon

builder = SparkSession.builder.master("local[1]")
for key, value in {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}.items():
    builder = builder.config(key, value)
"""
"""The beginning of each program: a builder that StreaMon does not know of yet."""


def environment(scripts: Path, folder: Path) -> dict[str, str]:
    """A bare environment with a virtual environment active, and Java where this process has it."""
    kept = {key: os.environ[key] for key in ("JAVA_HOME", "HOME") if key in os.environ}
    path = os.pathsep.join([str(scripts), os.environ["PATH"]])
    python = str(scripts / "python")
    return {
        **kept,
        "PATH": path,
        "TMPDIR": str(folder),
        "PYSPARK_PYTHON": python,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def run_program(
    source: str, *, scripts: Path, folder: Path, with_command: tuple[str, ...] = ("python",)
) -> subprocess.CompletedProcess[str]:
    """Run the program text, after START, with a command of that scripts folder, in a folder of its own."""
    program = folder / "program.py"
    program.write_text(START + source)
    command = [str(scripts / with_command[0]), *with_command[1:], str(program)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment(scripts, folder), check=False
    )
