"""`streamon.match`: rules from a dict and from a table, over rows and streams, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import streamon
from streamon.errors import ArgumentError

RULES = {
    "late_jfk": "origin = 'JFK' AND dep_delay > 60",
    "short_hop": "distance < 200 AND origin IS NOT NULL",
    "from_jfk": "origin = 'JFK'",
}


@pytest.fixture
def flights(anywhere: SparkSession) -> DataFrame:
    rows = [(1, "JFK", 70.0, 2500), (2, "JFK", 10.0, 150), (3, "EWR", None, 900), (4, None, 200.0, 120)]
    return anywhere.createDataFrame(rows, "id int, origin string, dep_delay double, distance int")


def found(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, frame.collect()))


def test_each_row_comes_with_the_rules_that_hold(flights: DataFrame) -> None:
    matched = streamon.match(flights, RULES)
    assert matched.columns == [*flights.columns, "rules"]
    assert found(matched.select("id", "rules")) == [
        (1, ["from_jfk", "late_jfk"]),
        (2, ["from_jfk", "short_hop"]),
    ]


def test_exploded_there_is_a_row_for_each_rule(flights: DataFrame) -> None:
    matched = streamon.match(flights, RULES, output="exploded").select("id", "rule")
    assert found(matched) == [(1, "from_jfk"), (1, "late_jfk"), (2, "from_jfk"), (2, "short_hop")]


def test_rules_may_be_a_table(anywhere: SparkSession, flights: DataFrame) -> None:
    table = "n int, condition string, rule string"
    rules = anywhere.createDataFrame([(7, "distance > 1000", "far away")], table)
    assert found(streamon.match(flights, rules).select("id", "rules")) == [(1, ["far away"])]


def test_switched_off_the_rows_are_the_same(anywhere: SparkSession, flights: DataFrame) -> None:
    expected = found(streamon.match(flights, RULES))
    anywhere.conf.set("spark.streamon.enabled", "false")
    try:
        plain = streamon.match(flights, RULES)
        assert found(plain) == expected
    finally:
        anywhere.conf.unset("spark.streamon.enabled")
    assert [one.operator for one in streamon.explain(plain)] == []
    assert [one.operator for one in streamon.explain(streamon.match(flights, RULES))] == ["MatchRules"]


@pytest.fixture
def events(anywhere: SparkSession, tmp_path: Path) -> DataFrame:
    """A stream of files with one micro-batch each."""
    for part in range(3):
        anywhere.range(part * 10, part * 10 + 10, 1, 1).write.parquet(str(tmp_path / f"in/{part}"))
    files = anywhere.readStream.schema("id bigint").option("maxFilesPerTrigger", 1)
    return files.parquet(str(tmp_path / "in/*"))


def test_a_stream_is_matched(anywhere: SparkSession, events: DataFrame, tmp_path: Path) -> None:
    alerts = streamon.match(events, {"five": "id % 10 = 5", "late": "id >= 28"}, output="exploded")
    query = (
        alerts.writeStream.format("parquet")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    assert query.awaitTermination(120)
    written = anywhere.read.parquet(str(tmp_path / "out"))
    assert found(written) == [(5, "five"), (15, "five"), (25, "five"), (28, "late"), (29, "late")]


@pytest.mark.parametrize(
    ("rules", "condition", "said"),
    [
        ({"a": "distance >"}, "STREAMON_RULE_SYNTAX", "'a' does not parse: distance >"),
        ({"a": "distance > 1", "b": "nowhere = 1"}, "STREAMON_RULE_UNRESOLVED", "'b' cannot be resolved"),
        ({"a": "max(distance) > 1"}, "STREAMON_RULE_UNSUPPORTED", "an aggregate"),
        ({}, "STREAMON_RULES_NONE", "There are no rules"),
    ],
)
def test_a_bad_rule_is_refused_with_its_name(
    flights: DataFrame, rules: dict[str, str], condition: str, said: str
) -> None:
    with pytest.raises(AnalysisException) as refused:
        streamon.match(flights, rules)
    assert refused.value.getCondition() == condition
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["a = 1"],), "a dict of conditions by name, or a DataFrame, as its rules"),
        (({"a": 1},), "the condition of the rule 'a' as text, not 1"),
        (({1: "a"},), "names of rules as text, not 1"),
    ],
)
def test_a_wrong_argument_is_named(flights: DataFrame, arguments: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        streamon.match(flights, *arguments)


def test_a_wrong_output_and_wrong_rows_are_named(flights: DataFrame) -> None:
    with pytest.raises(ArgumentError, match="output='arrays' or output='exploded', not 'rows'"):
        streamon.match(flights, RULES, output="rows")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a DataFrame as its first argument"):
        streamon.match("flights", RULES)  # type: ignore[arg-type]
