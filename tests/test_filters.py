"""Adaptive filters by hint and by conf, in a classic session and over Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

import streamon

ROWS = 20_000
CONDITION = "text RLIKE '^row-[0-9]+$' AND text LIKE '%7%' AND id % 2 = 1"
EXPECTED = sorted(n for n in range(ROWS) if "7" in str(n) and n % 2 == 1)

LEARNING = "spark.streamon.learning.enabled"
OPTIONS = ["profilingProbability=1", "profilingBudget=1", "window=100", "initialOrder=written"]
"""Profiles every dropped row and starts with the regular expression, which drops nothing."""


@pytest.fixture(scope="session")
def numbers(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> str:
    """Numbers as text, in four files that both sessions can read."""
    path = str(tmp_path_factory.mktemp("numbers") / "parquet")
    spark.range(0, ROWS, 1, 4).selectExpr("id", "concat('row-', id) AS text").write.parquet(path)
    return path


@pytest.fixture
def table(anywhere: SparkSession, numbers: str) -> Iterator[SparkSession]:
    """The session, with the numbers as its view `numbers`."""
    anywhere.read.parquet(numbers).createOrReplaceTempView("numbers")
    yield anywhere
    anywhere.catalog.dropTempView("numbers")


@pytest.fixture
def conf(anywhere: SparkSession) -> Iterator[dict[str, str]]:
    """Confs to set for one test: what is put in is unset again in the end."""
    settings: dict[str, str] = {}
    yield settings
    for key in settings:
        anywhere.conf.unset(key)


def hinted(*options: str) -> str:
    listed = ", ".join(f"'{option}'" for option in options)
    return (
        f"SELECT /*+ ADAPTIVE_FILTER{f'({listed})' if options else ''} */ id FROM numbers WHERE {CONDITION}"
    )


def plan(frame: DataFrame, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    frame.explain()
    return capsys.readouterr().out


def ids(frame: DataFrame) -> list[int]:
    return sorted(row["id"] for row in frame.collect())


def test_a_hint_in_sql(table: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    frame = table.sql(hinted())
    assert "AdaptiveFilter" in plan(frame, capsys)
    assert ids(frame) == EXPECTED


def test_a_hint_on_a_frame(table: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    frame = table.table("numbers").where(CONDITION).hint("adaptive_filter", "algorithm=sweep").select("id")
    text = plan(frame, capsys)
    assert "AdaptiveFilter" in text
    assert "sweep" in text
    assert ids(frame) == EXPECTED


@pytest.mark.parametrize("algorithm", ["a-greedy", "sweep", "independent", "local-swaps", "static"])
def test_every_algorithm_gives_the_same_rows(
    table: SparkSession, capsys: pytest.CaptureFixture[str], algorithm: str
) -> None:
    frame = table.sql(hinted(*OPTIONS, f"algorithm={algorithm}"))
    assert algorithm in plan(frame, capsys)
    assert ids(frame) == EXPECTED


def test_the_modes_of_the_session(
    table: SparkSession, conf: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    cheap = "SELECT id FROM numbers WHERE id % 2 = 1 AND id % 3 = 0"

    def adapts(mode: str, sql: str) -> bool:
        conf["spark.streamon.filter.mode"] = mode
        table.conf.set("spark.streamon.filter.mode", mode)
        return "AdaptiveFilter" in plan(table.sql(sql), capsys)

    hint, plain = hinted(), f"SELECT id FROM numbers WHERE {CONDITION}"
    assert [adapts("auto", sql) for sql in (hint, plain, cheap)] == [True, True, False]
    assert [adapts("hint", sql) for sql in (hint, plain, cheap)] == [True, False, False]
    assert [adapts("always", sql) for sql in (hint, plain, cheap)] == [True, True, True]
    assert [adapts("off", sql) for sql in (plain, cheap)] == [False, False]


def test_the_master_switch(
    table: SparkSession, conf: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    conf["spark.streamon.enabled"] = "false"
    table.conf.set("spark.streamon.enabled", "false")
    frame = table.sql(hinted())
    assert "AdaptiveFilter" not in plan(frame, capsys)
    assert ids(frame) == EXPECTED


def test_decisions_and_stats_tell_what_happened(table: SparkSession, conf: dict[str, str]) -> None:
    conf[LEARNING] = "false"
    table.conf.set(LEARNING, "false")
    before = {row["query"] for row in streamon.stats(table).collect()}
    assert ids(table.sql(hinted(*OPTIONS))) == EXPECTED

    counted = [row for row in streamon.stats(table).collect() if row["query"] not in before]
    assert sorted(row["written"] for row in counted) == [0, 1, 2]
    assert sorted(row["position"] for row in counted) == [0, 1, 2]
    assert {row["input_rows"] for row in counted} == {ROWS}
    assert {row["output_rows"] for row in counted} == {len(EXPECTED)}
    assert sum(row["drops"] for row in counted) >= ROWS - len(EXPECTED)
    query = counted[0]["query"]
    assert query.startswith("execution-")

    decided = streamon.decisions(table).where(f"query = '{query}'").collect()
    assert decided, "the regular expression stayed first although it drops nothing"
    for row in decided:
        assert sorted(row["old_order"]) == sorted(row["new_order"])
        assert row["algorithm"] == "a-greedy"
        assert row["executor"] == "driver"
        assert {one["conjunct"] for one in row["statistics"]} == set(row["new_order"])
        assert all(0 <= one["drop_rate"] <= 1 for one in row["statistics"] if one["drop_rate"] is not None)
    # Two tasks may decide in one millisecond: which is told first says nothing.
    assert any("RLIKE" in row["old_order"][0].upper() for row in decided)
    assert "RLIKE" not in decided[-1]["new_order"][0].upper()
    assert [row["position"] > 0 for row in counted if "RLIKE" in row["conjunct"].upper()] == [True]


def test_an_execution_begins_with_what_the_one_before_has_learned(table: SparkSession) -> None:
    def run(condition: str) -> list[Row]:
        """The counts of one execution, by written position."""
        before = {row["query"] for row in streamon.stats(table).collect()}
        listed = ", ".join(f"'{option}'" for option in OPTIONS)
        table.sql(f"SELECT /*+ ADAPTIVE_FILTER({listed}) */ id FROM numbers WHERE {condition}").collect()
        counted = [row for row in streamon.stats(table).collect() if row["query"] not in before]
        return sorted(counted, key=lambda row: int(row["written"]))

    condition = "text RLIKE '^row-[0-9]+$' AND id % 1000 = 7"
    first, second = run(condition), run(condition)
    assert first[0]["reorders"] > 0
    assert second[0]["reorders"] == 0
    assert [row["position"] for row in second] == [1, 0]
    assert run(condition.replace("7", "8"))[0]["reorders"] > 0, "another literal is another filter"


def test_a_streaming_query_and_its_own_stats(table: SparkSession, numbers: str, tmp_path: Path) -> None:
    stream = (
        table.readStream.schema("id BIGINT, text STRING").option("maxFilesPerTrigger", 1).parquet(numbers)
    )
    found = stream.where(CONDITION).hint("adaptive_filter", *OPTIONS).select("id")
    writer = found.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
    query = writer.trigger(availableNow=True).start(str(tmp_path / "rows"))
    try:
        query.awaitTermination()
        assert ids(table.read.parquet(str(tmp_path / "rows"))) == EXPECTED
        counted = streamon.stats(query).collect()
        assert {row["query"] for row in counted} == {str(query.id)}
        assert {row["input_rows"] for row in counted} == {ROWS}, "four micro-batches, counted as one query"
    finally:
        query.stop()
