"""`why_not`, `explain` and the tables, of whatever they are asked about, classic and over Connect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

import streamon
from streamon import jvm, plans
from streamon.errors import ArgumentError, VersionMismatchError
from streamon.records import record

EXPENSIVE = "CAST(id AS STRING) RLIKE '5$' AND id % 3 = 0"
CHEAP = "id % 2 = 0 AND id % 3 = 0"


def filtered(condition: str, hint: str = "") -> str:
    return f"SELECT {hint} id FROM range(100) WHERE {condition}"


def test_a_cheap_filter_is_left_to_spark_with_its_reason(anywhere: SparkSession) -> None:
    frame = anywhere.sql(filtered(CHEAP))
    found = streamon.why_not(frame)
    (refusal,) = found
    assert refusal.code == "NOTHING_EXPENSIVE"
    assert refusal.operator
    assert refusal.reason
    assert refusal.query is None
    assert "% 3" in refusal.condition
    assert str(found) == repr(found) == str(refusal)
    assert [row.code for row in found.df().collect()] == ["NOTHING_EXPENSIVE"]
    assert "<td>NOTHING_EXPENSIVE</td>" in found._repr_html_()


@pytest.mark.parametrize(
    ("condition", "mode", "code"),
    [
        ("id % 3 = 0", "always", "FEWER_THAN_TWO_CONJUNCTS"),
        (EXPENSIVE, "off", "MODE_OFF"),
        (EXPENSIVE, "hint", "NO_HINT"),
    ],
)
def test_each_reason_has_its_code(anywhere: SparkSession, condition: str, mode: str, code: str) -> None:
    anywhere.conf.set("spark.streamon.filter.mode", mode)
    try:
        assert [refusal.code for refusal in streamon.why_not(anywhere.sql(filtered(condition)))] == [code]
    finally:
        anywhere.conf.unset("spark.streamon.filter.mode")


def test_an_adaptive_filter_is_explained(anywhere: SparkSession) -> None:
    frame = anywhere.sql(filtered(EXPENSIVE, "/*+ ADAPTIVE_FILTER('algorithm=local-swaps') */"))
    assert list(streamon.why_not(frame)) == []
    assert str(streamon.why_not(frame)).startswith("StreaMon left no filter and no join to Spark here.")
    found = streamon.explain(frame)
    (operator,) = found
    assert operator.operator.startswith("AdaptiveFilter")
    assert "local-swaps" in operator.description
    assert "RLIKE" in operator.description.upper()
    assert str(found) == repr(found) == operator.description
    assert "local-swaps" in found._repr_html_()
    assert [row.operator for row in found.df().collect()] == [operator.operator]
    assert str(streamon.explain(anywhere.range(1))).startswith("There is no adaptive operator here.")


def test_each_scope_means_its_own_queries(anywhere: SparkSession) -> None:
    """Conditions with literals that no other query has."""

    def of(literal: int) -> Any:
        return anywhere.sql(filtered(f"CAST(id AS STRING) NOT LIKE '%{literal}%' AND id % 3 = 0"))

    one, other = of(4711), of(4712)
    one.collect()
    assert one.count() == 34
    other.collect()

    def told(what: Any) -> set[str]:
        rows = streamon.stats(what).collect()
        return {row.query for row in rows if any(str(n) in row.conjunct for n in (4711, 4712))}

    assert len(told(one)) == 2
    assert len(told(other)) == 1
    assert told(one) | told(other) == told(anywhere)
    (id_,) = told(other)
    assert "4712" in str(streamon.stats(id_).collect() if not jvm.is_connect(anywhere) else "4712")
    assert "4712" in str(streamon.explain(anywhere))


def test_a_stream_is_meant_by_itself_and_by_its_frame(anywhere: SparkSession, tmp_path: Path) -> None:
    anywhere.range(100).write.parquet(str(tmp_path / "in"))
    stream = anywhere.readStream.schema("id LONG").parquet(str(tmp_path / "in"))
    frame = stream.where("CAST(id AS STRING) NOT LIKE '%4713%' AND id % 3 = 0")
    writer = frame.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint"))
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination(60)
    for of in (query, frame):
        assert {row.query for row in streamon.stats(of).collect()} == {str(query.id)}
        assert {row.query for row in streamon.decisions(of).collect()} <= {str(query.id)}
        assert streamon.caches(of).collect() == []
        assert "4713" in str(streamon.explain(of))
        assert list(streamon.why_not(of)) == []


CALLS = [
    streamon.why_not,
    streamon.explain,
    streamon.stats,
    streamon.decisions,
    streamon.routes,
    streamon.caches,
]


@pytest.mark.parametrize("call", [*CALLS, streamon.constraints])
@pytest.mark.parametrize("wrong", [None, 7, SparkSession, ["execution-1"]])
def test_anything_else_is_refused_with_what_is_accepted(call: Any, wrong: object) -> None:
    accepted = r"accepts a SparkSession, a DataFrame, a StreamingQuery or the id of a query as text, not "
    with pytest.raises(ArgumentError, match=accepted):
        call(wrong)


def test_an_id_is_looked_up_from_any_thread(spark: SparkSession) -> None:
    """A session is active in the thread that made it alone."""
    frame = spark.sql(filtered("CAST(id AS STRING) RLIKE '[37]$' AND id % 5 = 2", "/*+ ADAPTIVE_FILTER */"))
    frame.collect()
    (query,) = {row["query"] for row in streamon.stats(frame).collect()}
    with ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: streamon.stats(query).count()).result() > 0


def test_a_row_without_a_column_is_of_another_version() -> None:
    with pytest.raises(VersionMismatchError, match="has no column code, reason, which the Python package"):
        record(plans.Refusal, Row(query=None, operator="Filter", condition="a", more=1))


def test_a_jar_of_another_version_is_named(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    there = jvm.find_class(spark._jvm, jvm.LINE).version()
    monkeypatch.setattr(jvm, "version", lambda: "9.9.9")
    with pytest.raises(
        VersionMismatchError, match=rf"runs StreaMon {there} .* the Python package is 9\.9\.9: install"
    ):
        streamon.why_not(spark.range(1))


def test_a_session_that_runs_streamon_is_configured_already(spark: SparkSession) -> None:
    builder = streamon.configure(SparkSession.builder)
    assert builder._options == {}
    assert builder.getOrCreate() is spark
