"""The examples on joins and constraints run, small, and tell what they are there to tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
from programs import environment

from streamon_lab.samples.day_by_day import STREAMS, bring

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


def test_constraints_of_flights(tmp_path: Path) -> None:
    lines = output("constraints_flights.py", "--days", "4", folder=tmp_path)
    assert "equal answers: True" in lines
    days = [line.split() for line in lines if line.startswith("2013-01-0")]
    joined, observed, dead, exact, stock = (int(text) for text in days[-1][1:6])
    assert joined > 0
    assert 0 < dead < observed < stock
    # No flight has to stay; planes and weather do.
    assert exact < observed // 2
    said = "\n".join(lines)
    for hint in ("UNIQUE(p, tailnum)", "UNIQUE(w, place)"):
        assert f"declare {hint}" in said
    assert "exact would shrink memory" in said


def test_planes_are_told_once_and_before_they_fly(tmp_path: Path) -> None:
    for stream in STREAMS:
        (tmp_path / stream).mkdir()
    told: set[str] = set()
    for day in pd.date_range("2013-01-30", periods=4):
        bring(day, tmp_path, planes_once=True)
        planes = pd.read_csv(tmp_path / "planes" / f"{day.date()}.csv", header=None)[1]
        assert not told & set(planes)
        told |= set(planes)
        assert len(planes) == planes.nunique() < 100


def test_network(tmp_path: Path) -> None:
    lines = output("joins_network.py", "--minutes", "3", "--packets", "300", folder=tmp_path)
    assert "equal answers: True" in lines
    minutes = [line.split() for line in lines if line[:6].strip().isdigit()]
    assert [int(minute[0]) for minute in minutes] == [0, 1, 2]
    assert int(minutes[-1][2]) > 0
    # No intermediate results: fewer rows than in Spark's chain.
    assert int(minutes[-1][3]) < int(minutes[-1][4])
