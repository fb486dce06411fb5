"""`streamon.rules` and `streamon.dispatch`: rules that change while a query runs, and a sink for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import streamon
from streamon.errors import ArgumentError

Push = Callable[..., None]


@pytest.fixture
def push(anywhere: SparkSession, tmp_path: Path) -> Push:
    """Writes numbers into the folder of the stream: one file, which is one micro-batch."""
    (tmp_path / "in").mkdir()

    def write(*numbers: int) -> None:
        frame = anywhere.createDataFrame([(n,) for n in numbers], "id bigint").coalesce(1)
        frame.write.mode("append").parquet(str(tmp_path / "in"))

    return write


@pytest.fixture
def events(anywhere: SparkSession, push: Push, tmp_path: Path) -> DataFrame:  # noqa: ARG001
    """The stream of these numbers."""
    return anywhere.readStream.schema("id bigint").parquet(str(tmp_path / "in"))


@pytest.fixture
def query(events: DataFrame, tmp_path: Path) -> Iterator[StreamingQuery]:
    """A query with the rules `small` and `odd`, which writes to the folder `out`."""
    matched = streamon.match(events, {"small": "id < 10", "odd": "id % 2 = 1"}, output="exploded")
    writer = matched.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
    running = writer.format("parquet").start(str(tmp_path / "out"))
    yield running
    running.stop()


@pytest.fixture
def found(anywhere: SparkSession, query: StreamingQuery, push: Push, tmp_path: Path) -> Callable[..., Any]:
    """What the query finds in some numbers."""

    def of(*numbers: int) -> list[tuple[int, str]]:
        push(*numbers)
        query.processAllAvailable()
        rows = anywhere.read.parquet(str(tmp_path / "out")).collect()
        return sorted((row.id, row.rule) for row in rows if row.id in numbers)

    return of


def test_rules_come_and_go(query: StreamingQuery, found: Callable[..., Any]) -> None:
    assert found(3, 20) == [(3, "odd"), (3, "small")]
    rules = streamon.rules(query)
    rules.add("big", "id > 100")
    rules.remove("odd")
    assert [(one.rule, one.state) for one in rules] == [("big", "waiting"), ("small", "active")]
    assert found(5, 201) == [(5, "small"), (201, "big")]
    rules.refresh()
    assert [(one.rule, one.state) for one in rules] == [("big", "active"), ("small", "active")]
    assert str(rules) == "big (active): id > 100\nsmall (active): id < 10"
    assert "<td" in rules._repr_html_()
    assert rules.df().columns == ["call", "rule", "condition", "state", "reason"]


# An id is looked up in the session that is active in this process, which the classic one is.
@pytest.mark.parametrize("anywhere", ["spark"], indirect=True)
def test_the_id_of_a_query_will_do(query: StreamingQuery) -> None:
    assert [one.rule for one in streamon.rules(str(query.id))] == ["odd", "small"]


def test_what_is_not_valid_changes_nothing(query: StreamingQuery) -> None:
    rules = streamon.rules(query)
    with pytest.raises(AnalysisException, match="'wrong' does not parse"):
        rules.add("wrong", "id >")
    with pytest.raises(ArgumentError, match=r"no rule 'big'\. Its rules: odd, small"):
        rules.remove("big")
    with pytest.raises(ArgumentError, match="a name and a condition as text, not 1"):
        rules.add("one", 1)  # type: ignore[arg-type]
    assert [one.rule for one in streamon.rules(query)] == ["odd", "small"]


def test_a_query_without_rules_and_a_wrong_argument_are_named(events: DataFrame, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="a StreamingQuery or the id of a query as text, not 7"):
        streamon.rules(7)  # type: ignore[arg-type]
    writer = events.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "c"))
    plain = writer.start()
    with pytest.raises(AnalysisException, match="STREAMON_RULES_NO_CALL"):
        streamon.rules(plain)
    plain.stop()
    with pytest.raises(AnalysisException, match="STREAMON_RULES_QUERY"):
        streamon.rules(plain)


def into(folder: Path) -> Callable[[DataFrame, int], None]:
    """A sink that writes each micro-batch into a file, and fails when there is a file `fail`."""
    folder.mkdir()
    at = str(folder)

    # A local function: a Connect server cannot import this module.
    def write(frame: DataFrame, batch_id: int) -> None:
        rows = [",".join(map(str, row)) for row in sorted(frame.collect())]
        (Path(at) / str(batch_id)).write_text(" ".join(rows))
        if (Path(at) / "fail").exists():
            raise ValueError("the disk is full")

    return write


def written(folder: Path) -> dict[str, str]:
    """The rows of each micro-batch."""
    return {file.name: file.read_text() for file in folder.iterdir() if file.name.isdigit()}


def once(query: StreamingQuery) -> None:
    assert query.awaitTermination(120)


def test_each_rule_has_its_sink(
    anywhere: SparkSession, events: DataFrame, push: Push, tmp_path: Path
) -> None:
    own, rest = into(tmp_path / "own"), into(tmp_path / "rest")
    rules = {"small": "id < 10", "odd": "id % 2 = 1", "big": "id > 100"}
    sinks = {"small": streamon.Sink("parquet", path=str(tmp_path / "small")), "odd": own}

    def run() -> None:
        checkpoint = str(tmp_path / "checkpoint")
        trigger = {"availableNow": True}
        once(streamon.dispatch(events, rules, sinks, default=rest, checkpoint=checkpoint, trigger=trigger))

    push(3, 4, 50, 101)
    run()
    assert written(tmp_path / "own") == {"0": "3 101"}
    assert written(tmp_path / "rest") == {"0": "101,big"}
    push(8, 200)
    run()
    assert written(tmp_path / "own") == {"0": "3 101"}
    assert written(tmp_path / "rest") == {"0": "101,big", "1": "200,big"}
    small = anywhere.read.parquet(str(tmp_path / "small"))
    assert sorted(row.id for row in small.collect()) == [3, 4, 8]


def test_a_sink_that_fails_gets_the_rows_again(events: DataFrame, push: Push, tmp_path: Path) -> None:
    sink = into(tmp_path / "sink")
    (tmp_path / "sink" / "fail").touch()
    push(1, 20)

    def start(condition: str) -> StreamingQuery:
        checkpoint = str(tmp_path / "checkpoint")
        return streamon.dispatch(events, {"r": condition}, {"r": sink}, checkpoint=checkpoint)

    failing = start("id < 10")
    with pytest.raises(
        StreamingQueryException, match=r"The sink of the rule 'r' failed in micro-batch 0: the disk"
    ):
        failing.processAllAvailable()
    failing.stop()
    (tmp_path / "sink" / "fail").unlink()
    (tmp_path / "sink" / "0").unlink()
    # With the rules that the micro-batch had.
    again = start("id > 10")
    again.processAllAvailable()
    push(2, 30)
    again.processAllAvailable()
    again.stop()
    assert written(tmp_path / "sink") == {"0": "1", "1": "30"}


def test_rows_of_a_rule_without_a_sink_are_not_lost(events: DataFrame, push: Push, tmp_path: Path) -> None:
    sink, late = into(tmp_path / "sink"), into(tmp_path / "late")
    checkpoint = str(tmp_path / "checkpoint")
    running = streamon.dispatch(events, {"r": "id < 10"}, {"r": sink}, checkpoint=checkpoint)
    streamon.rules(running).add("late", "id > 100")
    push(1, 200)
    with pytest.raises(StreamingQueryException, match="No sink for the rules late"):
        running.processAllAvailable()
    running.stop()
    again = streamon.dispatch(events, {"r": "id < 10"}, {"r": sink, "late": late}, checkpoint=checkpoint)
    again.processAllAvailable()
    again.stop()
    assert written(tmp_path / "sink") == {"0": "1"}
    assert written(tmp_path / "late") == {"0": "200"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"sinks": [print]}, "a dict of sinks by the names of rules"),
        ({"sinks": {"a": "parquet"}}, "a streamon.Sink or a function for the rule 'a', not 'parquet'"),
        ({"sinks": {"a": streamon.Sink}}, "not the class Sink"),
        ({"sinks": {"b": print}}, "no sink for a"),
        ({"sinks": {"a": print}, "trigger": "10 seconds"}, "keywords as trigger"),
        ({"sinks": {"a": print}, "default": "parquet"}, "a streamon.Sink or a function as default"),
    ],
)
def test_wrong_sinks_are_named(events: DataFrame, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        streamon.dispatch(events, {"a": "id > 0"}, **arguments)


def test_a_table_of_rules_needs_a_sink_for_each(anywhere: SparkSession, events: DataFrame) -> None:
    rules = anywhere.createDataFrame([("a", "id > 0"), ("b", "id < 0")], "rule string, condition string")
    with pytest.raises(ArgumentError, match="no sink for b"):
        streamon.dispatch(events, rules, {"a": print})


def test_rows_that_are_no_stream_are_refused(anywhere: SparkSession) -> None:
    with pytest.raises(ArgumentError, match=r"streamon\.dispatch accepts a stream"):
        streamon.dispatch(anywhere.range(3), {"a": "id > 0"}, {"a": print})


def test_a_sink_appends_to_a_folder_with_partitions_and_options(
    anywhere: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "alerts"
    sink = streamon.Sink("csv", path=str(path), partition_by="odd", options={"sep": ";"})
    for batch in range(2):
        sink(anywhere.range(3).selectExpr("id", f"{batch} AS batch", "id % 2 AS odd"), batch)
    files = {
        folder: "".join(file.read_text() for file in (path / folder).glob("*.csv"))
        for folder in ("odd=0", "odd=1")
    }
    assert {folder: sorted(text.split()) for folder, text in files.items()} == {
        "odd=0": ["0;0", "0;1", "2;0", "2;1"],
        "odd=1": ["1;0", "1;1"],
    }


def test_a_sink_appends_to_a_table(anywhere: SparkSession, tmp_path: Path) -> None:
    table = f"alerts_{tmp_path.parent.name}_{tmp_path.name}".replace("-", "_")
    sink = streamon.Sink("json", table=table, partition_by=["odd", "batch"])
    try:
        for batch in range(2):
            sink(anywhere.range(3).selectExpr("id", f"{batch} AS batch", "id % 2 AS odd"), batch)
        assert anywhere.table(table).count() == 6
        described = anywhere.sql(f"SHOW PARTITIONS {table}").collect()
        assert sorted(row.partition for row in described) == [
            "odd=0/batch=0",
            "odd=0/batch=1",
            "odd=1/batch=0",
            "odd=1/batch=1",
        ]
    finally:
        anywhere.sql(f"DROP TABLE IF EXISTS {table}")


@pytest.mark.parametrize(
    "arguments", [{}, {"path": "a", "table": "b"}, {"table": "b", "path": "a", "format": "parquet"}]
)
def test_a_sink_is_one_place(arguments: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=r"streamon\.Sink"):
        streamon.Sink(**arguments)
