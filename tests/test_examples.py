"""The examples run, small, and show what they are there to show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from notebooks import executed, kinds
from programs import environment

from streamon_lab.samples.day_by_day import STREAMS, bring

LIMIT = 600
"""Seconds that an example may take."""
ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def output(example: str, *arguments: str, folder: Path) -> list[str]:
    """What an example prints, line by line."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *arguments],
        capture_output=True,
        text=True,
        env=environment(Path(sys.executable).parent, folder) | {"PYTHONPATH": str(ROOT / "python")},
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def number(pattern: str, lines: list[str]) -> int:
    """The number in the one line that a pattern with a group finds."""
    (found,) = (match[1] for match in (re.search(pattern, line) for line in lines) if match)
    return int(found.replace(",", ""))


def test_the_page_lists_all_examples() -> None:
    listed = re.findall(r"^\| \[`(\S+)`\]\(\1\) \|", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(
        path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")
    )


def test_first_filter(tmp_path: Path) -> None:
    lines = output("first_filter.py", folder=tmp_path)
    assert lines.count("3,000 of 300,000 rows pass.") == 2
    said = "\n".join(lines)
    assert "AdaptiveFilter" in said
    assert "NOTHING_EXPENSIVE" in said
    assert "  -> ['(level = ERROR)'" in said
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|exec")]
    assert len(cells) == 6
    # In the second run the first condition drops nearly all rows, and the others see few.
    first, *others = (row for row in cells if row[0] == max(row[0] for row in cells))
    assert first[1] == "(level = ERROR)"
    assert int(first[3]) > 250_000
    assert all(int(row[3]) < 50_000 for row in others)


def test_rules_alerts(tmp_path: Path) -> None:
    lines = output("rules_alerts.py", folder=tmp_path)
    alerts = number(r"^(\S+) of 200,000 readings have an alert, by 300 rules:", lines)
    assert 2_000 < alerts < 10_000
    assert "A filter finds the same rows: True" in lines
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    looks = {row[0]: int(row[1]) for row in cells if row[0] in ("site", "kind", "value")}
    # Most readings are below each limit.
    assert len(looks) == 3
    assert all(alerts <= count < 10_000 for count in looks.values())
    counts = {row[0]: int(row[1]) for row in cells if row[0] in ("hot", "loud")}
    # The rule that came later has seen the last of three files.
    assert counts["loud"] < counts["hot"] < 2_000


def test_joins_frames(tmp_path: Path) -> None:
    lines = output("joins_frames.py", folder=tmp_path)
    said = "\n".join(lines)
    assert "STREAMON_HINT_UNKNOWN_INPUT" in said
    assert "533 large orders are paid and sent." in lines
    assert "  MJoin 0, rows of o" in said
    assert "independent" in said


def test_joins_restart(tmp_path: Path) -> None:
    lines = output("joins_restart.py", folder=tmp_path)
    assert "One query with two runs: True True" in lines
    written = [int(line.split()[2].replace(",", "")) for line in lines if line.startswith("  minute")]
    assert written == sorted(written)
    assert written[0] > 0
    rows = number(r"The sink has (\S+) rows, those of a batch join: True", lines)
    assert rows == written[-1]


def test_joins_row_windows(tmp_path: Path) -> None:
    lines = output("joins_row_windows.py", folder=tmp_path)
    assert "The rows are those of the query over tables: True" in lines
    shown = [line for line in lines if "minute " in line]
    assert len(shown) == 9
    assert all(line.count(".") >= 3 and line.count(", ") == 2 for line in shown)
    assert number(r"the state has (\d+) rows", lines) < 20


def test_joins_caches(tmp_path: Path) -> None:
    lines = output("joins_caches.py", folder=tmp_path)
    assert "Equal answers: True" in lines
    looks = {name: number(rf"^ *{name}: .* (\S+) look-ups", lines) for name in ("without", "cached")}
    assert looks["cached"] < looks["without"] / 2
    assert number(r"^ *without: .* (\S+) hits", lines) == 0
    assert number(r"^ *cached: .* (\S+) hits", lines) > 1_000
    assert any("in the pipeline of input 2" in line for line in lines)


def test_joins_flights(tmp_path: Path) -> None:
    lines = output("joins_flights.py", "--days", "2", folder=tmp_path)
    days = [line.split() for line in lines if line.startswith("2013-01-0")]
    assert [int(day[1]) for day in days] == [663, 795]
    assert "equal answers: True" in lines


def test_constraints_flights(tmp_path: Path) -> None:
    lines = output("constraints_flights.py", "--days", "6", folder=tmp_path)
    days = [line.replace(",", "").split() for line in lines if line.startswith("2013-01-0")]
    observed, declared = ([int(cell) for cell in day[1:]] for day in (days[2], days[-1]))
    assert len(days) == 6
    assert observed[0] == observed[1] > 0
    # Flights have left memory; planes and weather stay.
    assert declared[1] < declared[0] / 2
    assert "Declared: UNIQUE(w, place), UNIQUE(p, tailnum)" in lines
    assert "0 rows broke a constraint." in lines
    assert number(r"^(\S+) rows were joined, as in a batch join: True", lines) > 2_000


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


def test_connect_client(server: str, tmp_path: Path) -> None:
    lines = output("connect_client.py", server, folder=tmp_path)
    said = "\n".join(lines)
    assert number(r"^(\S+) numbers pass", lines) == 2_021
    assert "AdaptiveFilter" in said
    assert said.count("a-greedy") > 1


@pytest.mark.parametrize("example", ["connect_client.py", "joins_kafka.py"])
def test_without_a_server_an_example_says_what_it_needs(example: str, tmp_path: Path) -> None:
    (line,) = output(example, folder=tmp_path)
    assert line.startswith("Skipped: name ")


def test_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    committed = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    fresh = executed(committed, tmp_path)
    shown = [kinds(cell) for cell in fresh.cells]
    assert sum(map(len, shown)) >= 6
    # When this fails, `python tests/notebooks.py examples/first_steps.ipynb` writes the outputs anew.
    assert [kinds(cell) for cell in committed.cells] == shown
