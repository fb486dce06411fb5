"""The demo on a few flights: its answer, its counts, and a page that needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pyspark.sql import Row, SparkSession

from streamon_lab.bench.filters.model import PassCounts
from streamon_lab.demo import functions, plots
from streamon_lab.demo.counts import fewest_evaluations, month_counts, worth_of_changing, written_evaluations
from streamon_lab.demo.joins import Day, Joined, join
from streamon_lab.demo.page import Called, Result, drift, page, why
from streamon_lab.demo.query import PREDICATES, WITH_PYTHON
from streamon_lab.demo.scenes import INCIDENT_FROM, Scene, scenes
from streamon_lab.demo.stream import Change, Month, Streamed, batch_answer, stream

N = len(PREDICATES)
WRITTEN = tuple(range(N))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, Scene]:
    return scenes(tmp_path_factory.mktemp("demo"))


def few(scene: Scene) -> Scene:
    """The month before the incident and its first month."""
    return Scene(scene.title, scene.about, scene.months[INCIDENT_FROM - 2 : INCIDENT_FROM])


def test_a_streamed_scene_has_stock_sparks_rows_and_exact_counts(
    spark: SparkSession, both: tuple[Scene, Scene], tmp_path: Path
) -> None:
    scene = few(both[1])
    expected = batch_answer(spark, scene)
    counts = month_counts(spark, scene)
    assert expected.total() == sum(month.passing[-1] for month in counts) > 0
    seen: list[str] = []
    off = stream(spark, scene, tmp_path / "demo_off", adaptive=False, tick=lambda: seen.append("off"))
    on = stream(spark, scene, tmp_path / "demo_on", adaptive=True, tick=lambda: seen.append("on"))
    assert off.answer == on.answer == expected
    assert seen == ["off", "off", "on", "on"]
    assert [m.rows for m in on.months] == [month.rows for month in counts]
    for month, fewest in zip(on.months, fewest_evaluations(counts), strict=True):
        assert fewest <= month.evaluated <= N * month.rows
        assert sorted(month.order) == list(WRITTEN)
    assert [m.evaluated for m in off.months] == [0, 0]
    assert on.changes, "two months of flights are enough to leave the first order"
    assert all(sorted(c.new) == list(WRITTEN) and c.new != c.old for c in on.changes)


def test_a_python_function_among_the_predicates_changes_no_row(
    spark: SparkSession, both: tuple[Scene, Scene], tmp_path: Path
) -> None:
    scene = few(both[0])
    functions.register(spark)
    off, on = (
        stream(spark, scene, tmp_path / f"called_{a}", adaptive=a, tick=int, predicates=WITH_PYTHON)
        for a in (False, True)
    )
    assert off.answer == on.answer == batch_answer(spark, scene)
    stats = spark.sql("SELECT DISTINCT operator FROM streamon_stats() WHERE conjunct LIKE '%kilometres%'")
    assert "AdaptivePythonFilter 1" in [row.operator for row in stats.collect()]


def test_the_join_has_the_rows_of_sparks_own_joins(spark: SparkSession, tmp_path: Path) -> None:
    days: list[str] = []
    off, on = (
        join(spark, tmp_path / f"joined_{a}", 2, adaptive=a, tick=lambda: days.append(""))
        for a in (False, True)
    )
    assert off.answer == on.answer
    assert on.answer.total() > 1_000
    assert [d.rows for d in on.days] == [d.rows for d in off.days]
    assert all(d.rows > 1_000 and d.seconds > 0 and d.state_rows > 0 for d in on.days)
    assert len(days) == 4


def test_the_incident_turns_round_what_the_predicates_drop(
    spark: SparkSession, both: tuple[Scene, Scene]
) -> None:
    seats, fog = (next(i for i, p in enumerate(PREDICATES) if p.name == name) for name in ("seats", "fog"))
    real, incident = (month_counts(spark, few(scene)) for scene in both)
    assert real[0] == incident[0]

    def rate(month: PassCounts, predicate: int) -> float:
        return month.passing[1 << predicate] / month.rows

    assert rate(real[1], fog) < 0.3 < 0.7 < rate(real[1], seats)
    assert rate(incident[1], seats) < 0.2 < 0.9 < rate(incident[1], fog)


def test_written_and_fewest_evaluations_and_what_changing_is_worth() -> None:
    # One row in four passes predicate 0 before, and predicate 1 after; all else passes.
    every = (1 << N) - 1
    before = PassCounts.from_histogram(N, {every: 25, every ^ 1: 75})
    after = PassCounts.from_histogram(N, {every: 25, every ^ 2: 75})
    assert written_evaluations([before, after]) == [75 + 25 * N, 75 * 2 + 25 * N]
    assert fewest_evaluations([before, after]) == [75 + 25 * N] * 2
    # With predicates of one cost the best single order loses 75 evaluations in one of the two.
    assert worth_of_changing([before, after], [1.0] * N) == pytest.approx(
        (2 * (75 + 25 * N) + 75) / (2 * (75 + 25 * N))
    )


def result(scene: Scene, *, equal: bool) -> Result:
    """A made-up run in which the last predicate is moved to the front in July."""
    moved = (N - 1, *WRITTEN[:-1])
    histogram = {(1 << N) - 1: 10, 0: 90}
    months = [Month(100, 0.5, 110 + k, moved if k >= 6 else WRITTEN) for k in range(12)]
    change = Change(6, WRITTEN, moved, (0.5,) * (N - 1) + (0.9,), (1000.0,) * N)
    answer = Counter({Row(flight=1): 120})
    counts = [PassCounts.from_histogram(N, histogram)] * 12
    return Result(
        scene, Streamed(months, [], 4.0, answer), Streamed(months, [change], 1.0, answer), counts, equal=equal
    )


class Links(HTMLParser):
    """Whatever a page would load, and the tags left open."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href", "data", "srcset") and not (value or "").startswith("#"):
                self.loads.append(f"{tag} {name}={value}")


class Tables(HTMLParser):
    """The texts of the cells of all tables, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data


def drawn(*, equal: bool = True) -> str:
    pair = [
        result(Scene("one <year>", "real & true", ()), equal=equal),
        result(Scene("another", "with an incident", ()), equal=equal),
    ]
    titles = [r.scene.title for r in pair]
    svgs = (
        plots.evaluations(
            titles,
            [r.rows for r in pair],
            [r.written for r in pair],
            [r.rows for r in pair],
            [r.fewest for r in pair],
        ),
        plots.orders(titles, [[m.order for m in r.on.months] for r in pair]),
        plots.times(titles, [4.0, 4.0], [1.0, 1.0]),
        plots.state([300, 600], [100, 110]),
    )
    assert drift(pair)
    joined = tuple(
        Joined([Day(1_000, seconds, 300), Day(1_000, seconds, kept)], Counter({Row(t=answer): 7}))
        for seconds, kept, answer in ((2.0, 600, 1), (1.6, 110, 1 if equal else 2))
    )
    called = Called(Streamed([], [], 3.25), Streamed([], [], 1.75), equal=equal)
    return page(pair, svgs, called, (joined[0], joined[1]), "1.2.3")


def test_the_page_needs_nothing_from_elsewhere() -> None:
    html = drawn()
    links = Links()
    links.feed(html)
    assert links.loads == []
    assert links.scripts == 0
    assert "@import" not in html
    assert not re.findall(r"url\((?!#)", html)
    assert len(links.ids) == len(set(links.ids))
    assert html.count("<svg") == html.count("</svg>") == 4


def test_the_page_says_what_happened_and_follows_the_readers_colours() -> None:
    html = drawn()
    assert "<title>" in html
    tables = Tables()
    tables.feed(html)
    assert ["processor time", "3.2 s", "1.8 s"] in tables.rows
    assert ["Spark's own joins", "500", "600"] in tables.rows
    assert ["MJoin", "625", "110"] in tables.rows
    (year,) = (row for row in tables.rows if row[0] == "one <year>")
    assert year[-3:] == ["4.0 s", "1.0 s", "4.0 x"]
    assert plots.INK not in html
    assert "currentColor" in html
    assert "color-scheme: light dark" in html


@pytest.mark.parametrize("equal", [True, False])
def test_the_page_says_whether_the_answers_are_those_of_spark(equal: bool) -> None:
    """Once for each scene, once for the function, once for the join."""
    html = " ".join(drawn(equal=equal).split())
    said = [html.count(f"{text} stock Spark's") for text in ("equal to", "NOT EQUAL TO")]
    assert said == ([4, 0] if equal else [0, 4])


def test_a_change_is_explained_by_the_one_that_moved_ahead() -> None:
    change = Change(
        6, (0, 1, 2, *WRITTEN[3:]), (0, 2, 1, *WRITTEN[3:]), (0.1, None, 0.8, *[0.1] * (N - 3)), (5.0,) * N
    )
    assert why(change) == (
        f"{PREDICATES[2].name} drops 80% at 5 ns; no sampled reject reaches {PREDICATES[1].name}"
    )
