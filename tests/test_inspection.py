"""`why_not`, `refusals` and `explain` in a classic session, and what they say over Spark Connect."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import streamon
from streamon import jvm
from streamon.errors import ConnectError, VersionMismatchError

EXPENSIVE = "CAST(id AS STRING) RLIKE '5$' AND id % 3 = 0"
CHEAP = "id % 2 = 0 AND id % 3 = 0"


def filtered(condition: str, hint: str = "") -> str:
    return f"SELECT {hint} id FROM range(100) WHERE {condition}"


def test_a_cheap_filter_is_left_alone_with_its_reason(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = spark.sql(filtered(CHEAP))
    (refusal,) = streamon.refusals(frame)
    assert refusal.code == "NOTHING_EXPENSIVE"
    assert refusal.operator
    assert refusal.reason
    assert "% 3" in refusal.condition
    streamon.why_not(frame)
    assert capsys.readouterr().out == f"{refusal}\n"


@pytest.mark.parametrize(
    ("condition", "mode", "code"),
    [
        ("id % 3 = 0", "always", "FEWER_THAN_TWO_CONJUNCTS"),
        (EXPENSIVE, "off", "MODE_OFF"),
        (EXPENSIVE, "hint", "NO_HINT"),
    ],
)
def test_each_reason_has_its_code(spark: SparkSession, condition: str, mode: str, code: str) -> None:
    spark.conf.set("spark.streamon.filter.mode", mode)
    try:
        assert [refusal.code for refusal in streamon.refusals(spark.sql(filtered(condition)))] == [code]
    finally:
        spark.conf.unset("spark.streamon.filter.mode")


def test_an_adaptive_filter_is_explained(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    frame = spark.sql(filtered(EXPENSIVE, "/*+ ADAPTIVE_FILTER('algorithm=local-swaps') */"))
    assert streamon.refusals(frame) == []
    streamon.why_not(frame)
    assert capsys.readouterr().out.startswith("No filter or join of this plan was refused.")
    streamon.explain(frame)
    said = capsys.readouterr().out
    assert "local-swaps" in said
    assert "RLIKE" in said.upper()


@pytest.mark.parametrize("call", [streamon.why_not, streamon.refusals, streamon.explain])
def test_over_connect_the_error_names_what_works(remote: SparkSession, call: object) -> None:
    assert callable(call)
    with pytest.raises(
        ConnectError, match=r"use df\.explain\(\), streamon\.decisions\(spark\) and streamon\.stats"
    ):
        call(remote.sql(filtered(EXPENSIVE)))


def test_a_jar_of_another_version_is_named(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    there = jvm.find_class(spark._jvm, jvm.LINE).version()
    monkeypatch.setattr(jvm, "version", lambda: "9.9.9")
    with pytest.raises(
        VersionMismatchError, match=rf"runs StreaMon {there} .* the Python package is 9\.9\.9: install"
    ):
        streamon.refusals(spark.range(1))


def test_a_session_that_runs_streamon_is_configured_already(spark: SparkSession) -> None:
    builder = streamon.configure(SparkSession.builder)
    assert builder._options == {}
    assert builder.getOrCreate() is spark
