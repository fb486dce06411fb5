"""What `streamon.constraints` makes of its rows: suggestions, text, a plot, and why there are none."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.sql.streaming.query import StreamingQuery

from streamon import ConstrainedInput, Constraint, ConstraintPoint, Constraints
from streamon.constraint_report.report import why_none
from streamon.constraint_report.text import shrinks
from streamon.errors import ExtraMissingError, NoConstraintsError

UNIQUE = Constraint(
    query="7f3c",
    operator="mjoin 1",
    mode="observe",
    constraint="UNIQUE b on pid",
    kind="UNIQUE",
    input="b",
    referring_input=None,
    declared=False,
    used=True,
    k=0,
    violations=0,
    hint="UNIQUE(b, pid)",
    partitions=2,
)
RIDS = replace(
    UNIQUE,
    constraint="RIDS c -> b on pid",
    kind="RIDS",
    referring_input="c",
    k=1_250,
    hint="K_CONSTRAINT('RIDS', c, b, 1250)",
)
INPUT = ConstrainedInput(
    query="7f3c",
    operator="mjoin 1",
    mode="observe",
    input=0,
    name="c",
    rows=10_000,
    bytes=1_000_000,
    dead_rows=9_600,
    dead_bytes=960_000,
    evicted_rows=0,
    cold_rows=0,
    violations=0,
    missed=None,
    missed_at_most=None,
    constraint_bytes=10_000,
)


def found(
    table: list[Constraint], evictions: list[ConstrainedInput], *history: ConstraintPoint
) -> Constraints:
    return Constraints(table, evictions, history)


def test_what_is_saved_is_suggested() -> None:
    assert found([UNIQUE, RIDS], [INPUT]).suggestions == [
        "declare UNIQUE(b, pid)",
        "declare K_CONSTRAINT('RIDS', c, b, 1250)",
        "exact would shrink memory 20x",
    ]
    assert found([UNIQUE], [replace(INPUT, dead_bytes=600_000)]).suggestions[-1] == (
        "exact would shrink memory 2.4x"
    )


def test_nothing_is_suggested_where_nothing_would_be_saved() -> None:
    assert found([UNIQUE, RIDS], [replace(INPUT, dead_rows=0, dead_bytes=0)]).suggestions == []
    dear = replace(INPUT, dead_bytes=500_000, constraint_bytes=450_000)
    assert found([UNIQUE], [dear]).suggestions == [], "monitors would take what the rows do not"
    assert found([], []).suggestions == []


def test_what_is_declared_broken_or_not_known_is_not_to_be_declared() -> None:
    table = [
        replace(UNIQUE, declared=True),
        replace(RIDS, violations=1),
        replace(RIDS, k=None),
        replace(RIDS, hint=None),
    ]
    assert found(table, [INPUT]).suggestions == ["exact would shrink memory 20x"]


def test_memory_is_that_of_the_rows_that_stay_and_of_the_monitors_once() -> None:
    assert shrinks([INPUT]) == pytest.approx(20.0)
    assert shrinks([INPUT, replace(INPUT, input=1)]) == pytest.approx(2_000 / 90)
    assert shrinks([replace(INPUT, bytes=960_000, constraint_bytes=0)]) == 960_000, "nothing would be left"


def test_what_is_relied_on_is_to_be_declared_where_it_has_saved_something() -> None:
    exact = replace(INPUT, mode="exact", rows=400, evicted_rows=9_600, cold_rows=9_600)
    assert found([replace(UNIQUE, mode="exact")], [exact]).suggestions == ["declare UNIQUE(b, pid)"]
    assert found([replace(UNIQUE, mode="exact")], [replace(exact, evicted_rows=4)]).suggestions == []


def test_missed_results_and_broken_promises_are_told() -> None:
    approximate = replace(INPUT, mode="approximate", bytes=10**7, missed=120.4, missed_at_most=300.0)
    broken = replace(UNIQUE, declared=True, violations=1_003)
    assert found([broken], [approximate]).suggestions == [
        "exact would miss no results: approximate has missed about 120, at most 300",
        "remove UNIQUE(b, pid): 1,003 rows break it",
    ]


def test_of_two_joins_each_is_named() -> None:
    other = replace(INPUT, operator="mjoin 2", dead_rows=0, dead_bytes=0)
    assert found([], [INPUT, other]).suggestions == ["mjoin 1: exact would shrink memory 20x"]


def test_of_two_queries_each_is_named() -> None:
    other = replace(INPUT, query="88aa", dead_rows=0, dead_bytes=0)
    assert found([], [INPUT, other]).suggestions == ["7f3c mjoin 1: exact would shrink memory 20x"]


def test_it_prints_what_it_has() -> None:
    shown = found([UNIQUE, RIDS], [INPUT, replace(INPUT, input=1, name=None, missed=2.0, missed_at_most=5.0)])
    printed = str(shown)
    assert repr(shown) == printed
    lines = [[cell.strip() for cell in line.strip("│").split("│")] for line in printed.splitlines()]
    assert ["RIDS c -> b on pid", "1,250", "", "yes", "0", "K_CONSTRAINT('RIDS', c, b, 1250)"] in lines
    assert ["c", "10,000", "977", "9,600", "938", "0", "0", "10", "", ""] in lines
    assert ["input 1", "10,000", "977", "9,600", "938", "0", "0", "10", "2", "5"] in lines
    assert "Rows, in mode observe" in printed
    assert "- exact would shrink memory" in printed
    assert max(map(len, printed.splitlines())) <= 120


def test_a_notebook_shows_the_same() -> None:
    shown = found([replace(UNIQUE, constraint="UNIQUE <b>")], [INPUT])._repr_html_()
    assert "<td>UNIQUE &lt;b&gt;</td>" in shown
    assert "<li>exact would shrink memory 20x</li>" in shown
    assert "<td>9,600</td>" in shown


def points(count: int) -> list[ConstraintPoint]:
    start = datetime(2024, 1, 1)
    return [
        ConstraintPoint(
            start + timedelta(seconds=n),
            "7f3c",
            "mjoin 1",
            "UNIQUE b on pid",
            None if n < 2 else n,
            100 * n,
            90 * n,
        )
        for n in range(count)
    ]


def test_the_history_is_drawn(tmp_path: Path) -> None:
    figure = found([UNIQUE], [INPUT], *points(5)).plot(tmp_path / "k.svg")
    above, below = figure.axes
    [k] = above.get_lines()
    assert list(cast(Any, k.get_ydata()))[2:] == [2, 3, 4]
    assert [list(cast(Any, line.get_ydata()))[-1] for line in below.get_lines()] == [400, 360]
    assert (tmp_path / "k.svg").read_text().lstrip().startswith("<?xml")


def test_without_history_or_matplotlib_there_is_no_plot(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoConstraintsError, match="no history"):
        found([UNIQUE], [INPUT]).plot()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ExtraMissingError, match="pip install matplotlib"):
        found([UNIQUE], [INPUT], *points(2)).plot()


class Query:
    """A streaming query as far as it is asked."""

    id = "7f3c"
    runId = "1"  # noqa: N815
    lastProgress: object = None  # noqa: N815

    def __init__(self, *operators: str, ended: bool = True) -> None:
        self.lastProgress = {"stateOperators": [{"operatorName": o} for o in operators]} if ended else None


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(ended=False), r"has not finished a micro-batch"),
        (Query("symmetricHashJoin"), r"Query 7f3c has no MJoin\. .*MJOIN.*why_not"),
        (Query("mjoin"), r"The MJoin of query 7f3c has not reported .*spark\.streamon\.join\.constraints"),
        ("7f3c", r"Query 7f3c is not known to have an MJoin"),
    ],
)
def test_why_there_are_none(query: Query | str, reason: str) -> None:
    assert re.search(reason, why_none(cast(StreamingQuery, query)))
