"""The live view: what it shows of a snapshot, when it ends, and what it reads of running queries."""

from __future__ import annotations

import io
import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console
from session_settings import settings_of

import streamon
from streamon import jvm
from streamon.errors import ArgumentError, NotLoadedError
from streamon.live_view import screens
from streamon.live_view.formats import html, lines, renderable
from streamon.live_view.reading import batch_of, orders_of, read
from streamon.live_view.sections import heading
from streamon.live_view.snapshot import Batch, Cache, Change, JoinInput, Order, Snapshot, State, Step
from streamon.live_view.watch import watch

BATCH = Batch(12, "2026-03-01T10:20:30.456Z", 1234, 4000, 1000.4, 3241.0)
SNAPSHOT = Snapshot(
    "a-b-c",
    "orders",
    batch=BATCH,
    states=(State("mjoin", 12345, 3 * 1024**2, 7),),
    orders=(
        Order("AdaptiveFilter", (Step("level < 3", 4000, 3800), Step("body RLIKE 'x'", 200, 0)), 2),
        Order("MJoin, rows of c", (Step("b on pid", 0, 0),), 0),
    ),
    changes=(
        Change(datetime(2026, 3, 1, 10, 20, 29), "AdaptiveFilter", ("first", "second"), ("second", "first")),
    ),
    caches=(Cache("MJoin", "0+1 for rows of input 2", 900, 100, 40, 2048),),
    inputs=(JoinInput("MJoin", "b", 5000, 10, 20, 30),),
)

TEXT = """\
Query orders (a-b-c) runs, micro-batch 12 of 2026-03-01 10:20:30 UTC

Rates
   rows  arriving rows/s  processed rows/s  seconds
  4,000            1,000             3,241      1.2

State
  operator    rows   MB  late rows
  mjoin     12,345  3.0          7

Orders
  operator          in this order   evaluations  dropped  reorders
  AdaptiveFilter    level < 3             4,000    95.0%         2
                    body RLIKE 'x'          200     0.0%
  MJoin, rows of c  b on pid                  0                  0

Latest decisions
  time      operator        from            to
  10:20:29  AdaptiveFilter  first > second  second > first

Caches
  operator  cache                    hits  misses  hit share  entries  KB
  MJoin     0+1 for rows of input 2   900     100      90.0%       40   2

Evictions
  operator  input   rows  dead  evicted  cold
  MJoin     b      5,000    10       20    30
"""


def test_text() -> None:
    assert "\n".join(lines(SNAPSHOT)) + "\n" == TEXT


def test_every_format_has_every_cell() -> None:
    cells = {cell for line in TEXT.splitlines() for cell in line.split("  ") if cell}
    assert len(cells) > 40
    out = io.StringIO()
    Console(file=out, width=200).print(renderable(SNAPSHOT))
    page = html(SNAPSHOT)
    for cell in cells:
        assert cell.strip() in out.getvalue()
        assert cell.strip().replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;") in page


@pytest.mark.parametrize(
    ("snapshot", "said"),
    [
        (Snapshot("a-b"), "Query a-b runs, no micro-batch has ended yet"),
        (replace(SNAPSHOT, active=False), "Query orders (a-b-c) has ended, micro-batch 12 of "),
        (replace(SNAPSHOT, active=False, failure="[X] bad"), "Query orders (a-b-c) failed: [X] bad"),
    ],
)
def test_heading(snapshot: Snapshot, said: str) -> None:
    assert heading(snapshot).startswith(said)


def test_a_query_in_which_nothing_adapts() -> None:
    assert "No adaptive filter and no MJoin" in "\n".join(lines(Snapshot("a", batch=BATCH)))
    assert "No adaptive filter and no MJoin" in html(Snapshot("a", batch=BATCH))


def test_long_texts_are_cut() -> None:
    steps = tuple("x" * 100 + str(n) for n in range(3))
    snapshot = Snapshot("a", batch=BATCH, changes=(Change(datetime(2026, 1, 1), "f", steps, steps),))
    assert max(map(len, lines(snapshot))) < 160


def test_rates_that_spark_does_not_know() -> None:
    progress = {
        "batchId": 0,
        "timestamp": "t",
        "batchDuration": None,
        "numInputRows": None,
        "inputRowsPerSecond": float("nan"),
        "processedRowsPerSecond": None,
    }
    assert batch_of(progress) == Batch(0, "t", None, 0, None, None)


def stats_row(operator: str, conjunct: str, written: int, position: int) -> Row:
    return Row(
        operator=operator,
        conjunct=conjunct,
        written=written,
        position=position,
        evaluations=10 * written,
        drops=written,
        reorders=3,
    )


def test_filters_of_one_name_are_told_apart() -> None:
    rows = [stats_row("f", "a", 0, 1), stats_row("f", "b", 1, 0), stats_row("f", "c", 0, 0)]
    assert orders_of(rows, {}) == (
        Order("f", (Step("b", 10, 1), Step("a", 0, 0)), 3),
        Order("f", (Step("c", 0, 0),), 3),
    )


def test_inputs_have_names_where_they_are_known() -> None:
    rows = [stats_row("MJoin, rows of input 0", f"input {n + 1} on pid", n, n) for n in range(2)]
    (order,) = orders_of(rows, {("MJoin", "0"): "c", ("MJoin", "1"): "b", ("Other", "2"): "x"})
    assert order.operator == "MJoin, rows of c"
    assert [step.text for step in order.steps] == ["b on pid", "input 2 on pid"]
    (order,) = orders_of(
        [stats_row("AdaptiveFilter", "input 1 on pid", 0, 0)], {("AdaptiveFilter", "1"): "b"}
    )
    assert order.steps[0].text == "input 1 on pid"


class Watched:
    """Looks at snapshots of a list, one after the other, and notes what is shown."""

    def __init__(self, *snapshots: Snapshot) -> None:
        self.snapshots = list(snapshots)
        self.shown: list[Snapshot] = []
        self.given: list[Snapshot | None] = []

    def __call__(self, wait: Callable[[], None] = lambda: None, **limits: Any) -> list[Snapshot]:
        def look(previous: Snapshot | None) -> Snapshot:
            self.given.append(previous)
            return self.snapshots[len(self.shown)]

        watch(look, self.shown.append, wait, **limits)
        return self.shown


def batches(*numbers: int) -> list[Snapshot]:
    return [replace(SNAPSHOT, batch=replace(BATCH, number=number)) for number in numbers]


def test_a_view_ends_with_its_query() -> None:
    before, after = batches(1, 1)
    ended = replace(after, active=False)
    watched = Watched(before, ended, before)
    assert watched() == [before, ended]
    assert watched.given == [None, before]


def test_a_view_ends_after_some_micro_batches() -> None:
    assert len(Watched(*batches(7, 8, 8, 10, 11, 12))(batches=3)) == 4
    assert len(Watched(Snapshot("a"), *batches(57, 58, 59))(batches=2)) == 3


def test_a_view_ends_after_some_seconds() -> None:
    times = iter([100.0, 101.0, 102.5, 110.0])
    assert len(Watched(*batches(1, 2, 3, 4))(seconds=2.5, clock=lambda: next(times))) == 2


def test_an_interrupt_ends_a_view() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert len(Watched(*batches(1, 2))(wait=interrupted)) == 1


def test_text_is_printed_when_it_changes() -> None:
    out = io.StringIO()
    with screens.as_text(out) as show:
        show(SNAPSHOT)
        show(SNAPSHOT)
        show(replace(SNAPSHOT, active=False))
    assert out.getvalue().count("Query orders") == 2
    assert out.getvalue().startswith(TEXT)


def test_a_terminal_is_redrawn() -> None:
    out = io.StringIO()
    with screens.in_terminal(Console(file=out, force_terminal=True, width=120)) as show:
        show(SNAPSHOT)
        show(replace(SNAPSHOT, active=False))
    assert "\x1b[1A" in out.getvalue()
    assert out.getvalue().rindex("has ended") > out.getvalue().rindex(" runs,")


def test_without_rich_it_is_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with screens.screen() as show:
        show(SNAPSHOT)
    assert capsys.readouterr().out == f"{TEXT}\n"


def test_where_the_output_is_no_terminal_it_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    with screens.screen() as show:
        show(SNAPSHOT)
    assert capsys.readouterr().out == f"{TEXT}\n"


@pytest.mark.parametrize("kernel", [True, False])
def test_in_a_notebook(
    kernel: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """IPython is not there for all who run the tests, so this is as much of it as the view uses."""
    outputs: list[list[dict[str, str]]] = []

    class Handle:
        def update(self, formats: dict[str, str], raw: bool) -> None:
            assert raw
            outputs[-1].append(formats)

    def display(formats: dict[str, str], raw: bool, display_id: bool) -> Handle:
        assert raw
        assert display_id
        outputs.append([formats])
        return Handle()

    ipython, shown = ModuleType("IPython"), ModuleType("IPython.display")
    shell = SimpleNamespace(kernel=object()) if kernel else SimpleNamespace()
    vars(ipython).update(get_ipython=lambda: shell)
    vars(shown).update(display=display)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    ended = replace(SNAPSHOT, active=False)
    with screens.screen() as show:
        show(SNAPSHOT)
        show(ended)
    pages = [[formats["text/html"] for formats in output] for output in outputs]
    assert pages == ([[html(SNAPSHOT), html(ended)]] if kernel else [])
    assert all(formats["text/plain"].startswith("Query orders") for output in outputs for formats in output)
    assert bool(capsys.readouterr().out) != kernel


@pytest.mark.parametrize("nothing", [None, 5, "a-query-id"])
def test_only_streaming_queries_are_watched(nothing: Any) -> None:
    with pytest.raises(ArgumentError, match="live accepts a streaming query"):
        streamon.live(nothing)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *((name, wrong) for name in ("refresh", "batches", "seconds") for wrong in (-1, True, "3", math.nan)),
        ("refresh", 0),
        ("batches", 0),
        ("batches", 1.5),
        ("seconds", math.inf),
    ],
)
def test_numbers_that_end_no_view_are_refused(spark: SparkSession, name: str, wrong: Any) -> None:
    query = spark.readStream.format("rate").load().writeStream.format("noop").trigger(once=True).start()
    with pytest.raises(ArgumentError, match=rf"streamon\.live accepts {name} as "):
        streamon.live(query, **{name: wrong})
    query.stop()


def test_a_session_without_streamon(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told at once, before a micro-batch has ended."""
    query = spark.readStream.format("rate").load().writeStream.format("noop").trigger(once=True).start()
    monkeypatch.setattr(jvm, "is_loaded", lambda _: False)
    with pytest.raises(NotLoadedError, match="runs without StreaMon"):
        streamon.live(query)
    query.stop()


ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
SETTINGS = {
    "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
    "spark.sql.shuffle.partitions": "1",
    "spark.streamon.join.constraints": "exact",
}
QUERY = """
    SELECT /*+ MJOIN(a, b), ADAPTIVE_FILTER('initialOrder=written', 'profilingProbability=1', 'window=20') */
        a.k
    FROM a JOIN b ON a.k = b.k WHERE CAST(a.v AS STRING) NOT LIKE '%x%' AND a.v % 10 = 0"""


@pytest.fixture
def session(anywhere: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """The session with two streams, `a` and `b`, each of two files of 1,000 rows."""
    for name in ("a", "b"):
        path = str(tmp_path / name)
        anywhere.range(2_000).selectExpr("id AS k", "id AS v").repartition(2).write.parquet(path)
        stream = anywhere.readStream.schema("k LONG, v LONG").option("maxFilesPerTrigger", 1).parquet(path)
        stream.createOrReplaceTempView(name)
    with settings_of(anywhere, SETTINGS):
        yield anywhere
    for name in ("a", "b"):
        anywhere.catalog.dropTempView(name)


@contextmanager
def running(session: SparkSession, text: str, folder: Path) -> Iterator[StreamingQuery]:
    writer = session.sql(text).writeStream.format("noop").queryName("watched")
    query = writer.option("checkpointLocation", str(folder / "checkpoint")).start()
    try:
        yield query
    finally:
        query.stop()


def test_a_running_query(session: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(session, QUERY, tmp_path) as query:
        query.processAllAvailable()
        snapshot = read(query)
        streamon.live(query, seconds=0)
        said = capsys.readouterr().out
    assert snapshot.query == str(query.id)
    assert snapshot.name == "watched"
    assert snapshot.active
    assert snapshot.batch is not None
    assert snapshot.batch.number >= 1
    assert [state.operator for state in snapshot.states] == ["mjoin"]
    assert {step.text for order in snapshot.orders for step in order.steps} >= {"a on a.k", "b on b.k"}
    (filtered,) = (order for order in snapshot.orders if len(order.steps) > 1)
    assert "% 10" in filtered.steps[0].text
    assert filtered.steps[0].drops > 1_000
    assert filtered.reorders == 1
    assert any(len(change.new) > 1 for change in snapshot.changes)
    assert sorted(one.name for one in snapshot.inputs) == ["a", "b"]
    assert sum(one.rows for one in snapshot.inputs) == snapshot.states[0].rows > 0
    assert said.startswith(f"Query watched ({query.id}) runs, micro-batch ")
    for title in ("Rates", "State", "Orders", "Latest decisions", "Evictions"):
        assert f"\n{title}\n" in said
    ended = read(query, snapshot)
    assert not ended.active
    # Where no micro-batch has ended since, the tables are not read anew.
    again = read(query, ended)
    assert again == ended
    assert again.orders is ended.orders


def test_a_query_that_fails(session: SparkSession, tmp_path: Path) -> None:
    with running(session, "SELECT raise_error('on purpose') FROM a", tmp_path) as query:
        with pytest.raises(Exception, match="on purpose"):
            query.processAllAvailable()
        assert "on purpose" in heading(read(query))


def test_ctrl_c_ends_the_view_alone(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """PySpark's own handler would cancel the jobs of the query."""
    waits: list[float] = []

    def interrupted(seconds: float) -> None:
        waits.append(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("streamon.live_view.watch.sleep", interrupted)
    called: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: called.append(number))
    handler = signal.getsignal(signal.SIGINT)
    try:
        with running(session, QUERY, tmp_path) as query:
            streamon.live(query, refresh=0.25)
            assert signal.getsignal(signal.SIGINT) is handler
            query.processAllAvailable()
            assert query.isActive
    finally:
        signal.signal(signal.SIGINT, before)
    assert waits == [0.25]
    assert called == []
    assert capsys.readouterr().out.startswith("Query watched")
