"""Bad input is refused with the allowed values, or warned of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import run_program
from pyspark.errors import AnalysisException, IllegalArgumentException
from pyspark.sql import SparkSession

ALGORITHMS = "Allowed values: a-greedy, sweep, independent, local-swaps, static, query-mesh."


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("algorithm", "fastest", ALGORITHMS),
        ("mode", "sometimes", "Allowed values: auto, always, hint, off."),
        ("errors", "ignore", "Allowed values: withhold, strict."),
        ("initialOrder", "random", "Allowed values: cheapest, written."),
        ("profilingProbability", "1.5", "Allowed values: 0 to 1."),
        ("profilingProbability", "-0.1", "Allowed values: 0 to 1."),
        ("window", "0", "Allowed values: 1 to 100000."),
        ("thrashAvoidance", "2", "Allowed values: above 0, up to 1."),
    ],
)
def test_a_conf_is_refused_when_it_is_set(
    anywhere: SparkSession, name: str, value: str, allowed: str
) -> None:
    key = f"spark.streamon.filter.{name}"
    try:
        with pytest.raises(IllegalArgumentException) as refused:
            anywhere.conf.set(key, value)
    finally:
        anywhere.conf.unset(key)
    said = str(refused.value)
    assert key in said
    assert value in said
    assert allowed in said


@pytest.fixture
def numbers(anywhere: SparkSession) -> Iterator[SparkSession]:
    """The session, with a view `numbers` of ten."""
    anywhere.range(10).createOrReplaceTempView("numbers")
    yield anywhere
    anywhere.catalog.dropTempView("numbers")


HINTED = "SELECT /*+ ADAPTIVE_FILTER({}) */ id FROM numbers WHERE id > 3 AND id < 6"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("'algorithm=fastest'", f"bad value 'fastest' for option 'algorithm'.*{ALGORITHMS}"),
        ("'fastest'", f"bad value 'fastest' for option 'algorithm'.*{ALGORITHMS}"),
        ("'profilingProbability=1.5'", r"bad value '1.5' .*Allowed values: 0 to 1\."),
        ("'speed=9'", "unknown option 'speed' in 'speed=9'. Allowed options: algorithm, "),
    ],
)
def test_a_hint_is_refused_by_analysis(numbers: SparkSession, option: str, said: str) -> None:
    refused = rf"STREAMON_HINT_BAD_OPTION.*hint ADAPTIVE_FILTER .*{said}.*leave it out"
    with pytest.raises(AnalysisException, match=refused):
        _ = numbers.sql(HINTED.format(option)).schema
    with pytest.raises(AnalysisException, match=refused):
        _ = numbers.table("numbers").hint("adaptive_filter", option.strip("'")).schema


def test_where_streamon_is_off_a_bad_hint_is_no_error(numbers: SparkSession) -> None:
    numbers.conf.set("spark.streamon.enabled", "false")
    try:
        assert [row.id for row in numbers.sql(HINTED.format("'speed=9'")).collect()] == [4, 5]
    finally:
        numbers.conf.unset("spark.streamon.enabled")


@pytest.mark.parametrize("arguments", ["1", "'a', 'b'"])
def test_a_table_function_says_what_it_takes(anywhere: SparkSession, arguments: str) -> None:
    said = r"STREAMON_TABLE_FUNCTION_ARGUMENTS.*streamon_stats.*Allowed: no argument"
    with pytest.raises(AnalysisException, match=said):
        _ = anywhere.sql(f"SELECT * FROM streamon_stats({arguments})").schema


PROGRAM = """
spark = streamon.configure(builder).getOrCreate()
print(spark.sql("SELECT /*+ ADAPTIVE_FILTER */ id FROM range(3)").count())
spark.stop()
"""


def test_a_hint_without_a_filter_is_warned_of(tmp_path: Path) -> None:
    """In a process of its own, since warnings go to the log."""
    done = run_program(PROGRAM, scripts=Path(sys.executable).parent, folder=tmp_path)
    assert done.stdout == "3\n", done.stderr
    said = "ADAPTIVE_FILTER has no effect: its block has no filter"
    warned = [line for line in done.stderr.splitlines() if " WARN " in line]
    assert any(said in line for line in warned), done.stderr
