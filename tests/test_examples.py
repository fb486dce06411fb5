"""The examples on joins run, small, and tell what they are there to tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from programs import environment

LIMIT = 600
"""Seconds that an example may take."""
EXAMPLES = Path(__file__).parents[1] / "examples"


def output(example: str, *arguments: str, folder: Path) -> list[str]:
    """What an example prints, line by line."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *arguments],
        capture_output=True,
        text=True,
        env=environment(Path(sys.executable).parent, folder),
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_flights(tmp_path: Path) -> None:
    lines = output("joins_flights.py", "--days", "2", folder=tmp_path)
    days = [line.split() for line in lines if line.startswith("2013-01-0")]
    assert [int(day[1]) for day in days] == [663, 795]
    assert "equal answers: True" in lines


def test_network(tmp_path: Path) -> None:
    lines = output("joins_network.py", "--minutes", "3", "--packets", "300", folder=tmp_path)
    assert "equal answers: True" in lines
    minutes = [line.split() for line in lines if line[:6].strip().isdigit()]
    assert [int(minute[0]) for minute in minutes] == [0, 1, 2]
    assert int(minutes[-1][2]) > 0
    # No intermediate results: fewer rows than in Spark's chain.
    assert int(minutes[-1][3]) < int(minutes[-1][4])
