"""Runs the Java program of the lab and shows its progress."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pyspark
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from streamon.errors import JarError, SparkVersionError
from streamon.jar import SCALA_LINE
from streamon.java import java

MAIN = "org.streamon.lab.Main"
CHECKOUT = Path(__file__).parents[2]
STEP = re.compile(r"progress (?P<done>\d+) (?P<total>\d+) (?P<label>.*)")


def lab_jar() -> Path:
    """The jar of the lab. It is in no wheel: `make lab` builds it in a source checkout.

    Raises:
        JarError: this is no checkout, or nothing is built there.
    """
    jar = CHECKOUT / "jvm" / "lab" / "target" / "streamon-lab.jar"
    if jar.is_file():
        return jar
    if (CHECKOUT / "jvm" / "lab").is_dir():
        raise JarError("The lab is not built: run `make lab` in the checkout.")
    raise JarError(
        "The lab runs only from a source checkout: clone StreaMon's repository and run `make lab` and "
        "`.venv/bin/streamon-lab lab` there."
    )


def scala_library() -> Path:
    """The Scala library among pyspark's jars, all that the lab needs beside its own jar.

    Raises:
        SparkVersionError: pyspark carries none of the line that the jar is compiled for.
    """
    found = sorted(Path(pyspark.__file__).parent.glob(f"jars/scala-library-{SCALA_LINE}.*.jar"))
    if not found:
        raise SparkVersionError(
            f"pyspark {pyspark.__version__} carries no scala-library {SCALA_LINE}: "
            f'reinstall it with `pip install --force-reinstall "pyspark=={pyspark.__version__}"`.'
        )
    return found[-1]


def run_lab(chapter: str, quick: bool, json: Path | None, only: list[str]) -> int:
    """Run one chapter's experiments to the end and give the program's exit code.

    The program prints its results on stdout, and on stderr lines `progress <done> <total> <label>`.

    Raises:
        JarError: this is no source checkout, or `make lab` has not been run there.
    """
    command = [java()[0], "-cp", f"{lab_jar()}:{scala_library()}", MAIN, chapter]
    command += ["--quick"] if quick else []
    command += ["--json", str(json)] if json else []
    command += [word for name in only for word in ("--only", name)]
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as bar,
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as lab,
    ):
        task = bar.add_task("starting", total=None)
        for said in lab.stderr or ():
            step = STEP.match(said)
            if step:
                done, total = int(step["done"]), int(step["total"])
                bar.update(task, completed=done, total=total, description=step["label"])
            else:
                bar.console.print(said.rstrip("\n"), markup=False, highlight=False)
    return lab.returncode
