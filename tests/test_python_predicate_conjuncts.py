"""Conjuncts without functions that take part in a filter of Python functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from python_predicates import (
    ADAPTIVE,
    PREFIX,
    Change,
    dear,
    explained,
    few,
    is_adapted,
    rest,
    with_and_without,
)

import streamon
from streamon_lab.bench.filters.adaptive import newest

ODD = "t RLIKE '^n-[0-9]*[13579]$'"
SMALL = "t RLIKE '[0-5]$'"
JSON = "CAST(get_json_object(j, '$.n') AS INT) > 30"


def source(spark: SparkSession, rows: int = 3000) -> DataFrame:
    return spark.range(0, rows, 1, 2).selectExpr(
        "id",
        "concat('n-', id) AS t",
        "CASE WHEN id % 90 = 7 THEN 'none' ELSE concat('{\"n\": ', id, '}') END AS j",
    )


def stats(spark: SparkSession, conjunct: str) -> list[Any]:
    """Of the newest execution."""
    rows = spark.sql(f"SELECT * FROM streamon_stats() WHERE conjunct LIKE '{conjunct}%'").collect()
    return [r for r in rows if r.query == rows[-1].query]


@pytest.mark.parametrize("order", ["0,1,2,3", "0,2,3,1", "2,3,0,1", "3,0,2,1", "1,3,2,0", "3,2,1,0"])
def test_every_order(spark: SparkSession, settings: Change, order: str) -> None:
    settings({f"{PREFIX}forcedOrder": order, "spark.sql.execution.arrow.maxRecordsPerBatch": 700})
    adapted, stock = with_and_without(
        spark, lambda: source(spark).filter(F.expr(SMALL) & dear("id") & F.expr(JSON) & (rest("id") > 2))
    )
    assert adapted == stock
    assert len(adapted) > 200


def test_a_dear_conjunct_goes_behind_functions_that_drop_much(
    spark: SparkSession, settings: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(
        {
            f"{PREFIX}profilingProbability": 0.2,
            f"{PREFIX}profilingBudget": 1,
            "spark.sql.execution.arrow.maxRecordsPerBatch": 500,
        }
    )
    frame = source(spark, 30_000).filter(
        F.expr("t RLIKE '^(n|m)-[0-9]*.*-?[0-9]*[0-9]$'") & few("id") & (rest("id") > 2)
    )
    assert f"{ADAPTIVE} [a-greedy], [RLIKE(" in explained(frame, capsys)
    frame.collect()
    again = frame.select("id")
    again.collect()
    (regex,) = stats(spark, "RLIKE")
    assert regex.position == 2
    assert regex.evaluations < regex.input_rows / 2
    assert regex.output_rows == again.count()


def test_few_rows_are_on_their_way_when_the_order_changes(
    spark: SparkSession, settings: Change, tmp_path: Path
) -> None:
    """The system could keep all of them for a worker. A busy machine may learn late, but not always."""
    settings({"spark.streamon.learning.enabled": "false"})
    source(spark, 40_000).withColumn("u", F.expr("repeat(t, 20)")).write.parquet(str(tmp_path / "long"))
    ends = F.udf(lambda text: text.endswith("00"), "boolean")
    frame = spark.read.parquet(str(tmp_path / "long")).filter(
        F.expr("u RLIKE '^(n|m)-[0-9]*.*-?[0-9]*[0-9]$'") & ends("u") & (rest("id") > 2)
    )

    def shares() -> Iterator[float]:
        for _ in range(8):
            frame.collect()
            (regex,) = [row for row in newest(spark) if row.conjunct.startswith("RLIKE")]
            yield regex.evaluations / regex.input_rows

    assert any(share < 0.5 for share in shares())


def test_one_function_takes_part_where_a_hint_asks_for_it(spark: SparkSession) -> None:
    def one() -> DataFrame:
        return source(spark).filter(F.expr(ODD) & few("id"))

    assert not is_adapted(one())
    hinted, stock = with_and_without(spark, lambda: one().hint("adaptive_filter"))
    assert hinted == stock
    assert hinted


def raising(kind: str) -> Callable[[str], Column]:
    """Raises on even numbers."""

    def fail(n: int) -> bool:
        if n % 2 == 0:
            raise ValueError("boom")
        return n % 3 > 0

    if kind == "row":
        return F.udf(fail, "boolean")  # type: ignore[no-any-return]
    return F.pandas_udf(lambda s: s.map(fail), "boolean", 200)  # type: ignore[no-any-return, call-overload]


@pytest.mark.parametrize("kind", ["row", "pandas"])
def test_a_function_does_not_raise_on_rows_that_a_conjunct_drops(
    spark: SparkSession, settings: Change, kind: str
) -> None:
    """Behind the functions in this order; rows are looked at again then."""
    settings({f"{PREFIX}forcedOrder": "1,2,0", "spark.sql.execution.arrow.maxRecordsPerBatch": 400})
    fails = raising(kind)
    adapted, stock = with_and_without(
        spark,
        lambda: (
            source(spark).filter(F.expr(ODD) & fails("id") & (rest("id") > 2)).select("id", rest("id"), "t")
        ),
    )
    assert adapted == stock
    assert len(adapted) > 500
    assert sum(s.reevaluated for s in stats(spark, "RLIKE")) == 3000


def test_a_conjunct_learns_to_stay_ahead(spark: SparkSession, settings: Change) -> None:
    """The filter learns that the functions drop more rows, and then that they raise on rows it drops.

    This mostly takes two runs. It takes one if a task starts after another one has learned.
    """
    settings(
        {
            f"{PREFIX}profilingProbability": 1,
            f"{PREFIX}profilingBudget": 1,
            "spark.sql.execution.arrow.maxRecordsPerBatch": 100,
        }
    )

    def fail(numbers: pd.Series) -> pd.Series:
        if (numbers % 1000 == 500).any():
            raise ValueError("boom")
        return numbers % 100 == 3

    fails = F.pandas_udf(fail, "boolean", 200)  # type: ignore[call-overload]
    frame = source(spark, 6_000).filter(F.expr("NOT t RLIKE '500$'") & fails("id") & (rest("id") < 10))
    assert is_adapted(frame)
    found: list[tuple[int, set[int]]] = []
    while not any(reevaluated for reevaluated, _ in found) or found[-1] != (0, {0}):
        assert len(found) < 10, found
        assert frame.count() == 60
        regex = stats(spark, "(NOT RLIKE")
        found.append((sum(s.reevaluated for s in regex), {s.position for s in regex}))


@pytest.mark.parametrize("order", ["0,1,2,3", "1,0,2,3", "2,3,1,0"])
def test_a_conjunct_raises_where_it_does_in_stock_spark(
    spark: SparkSession, settings: Change, order: str
) -> None:
    settings({"spark.sql.ansi.enabled": "true", f"{PREFIX}forcedOrder": order})
    cast = "CAST(get_json_object(j, '$.n') AS INT) >= 0"
    broken = """CASE WHEN id % 7 = 0 THEN '{"n": "x"}' ELSE j END"""

    def guarded() -> DataFrame:
        frame = source(spark).withColumn("j", F.expr(broken))
        first = "NOT CAST(id % 7 AS STRING) RLIKE '^0$'"
        return frame.filter(F.expr(first) & F.expr(cast) & dear("id") & (rest("id") > 2))

    adapted, stock = with_and_without(spark, guarded)
    assert adapted == stock
    assert len(adapted) > 500

    def raises() -> DataFrame:
        frame = source(spark).withColumn("j", F.expr(broken))
        return frame.filter(F.expr(SMALL) & F.expr(cast) & (rest("id") >= 0) & dear("id"))

    adapted, stock = with_and_without(spark, raises)
    assert adapted[:2] == stock[:2] == ("NumberFormatException", "CAST_INVALID_INPUT")


def test_what_may_raise_and_is_cheap_keeps_dear_conjuncts_ahead(
    spark: SparkSession, settings: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    settings({"spark.sql.ansi.enabled": "true"})

    def query() -> DataFrame:
        return source(spark).filter(
            F.expr("NOT t RLIKE '^n-0$'") & F.expr("1000 / id > 1") & dear("id") & (rest("id") > 2)
        )

    text = explained(query(), capsys)
    assert f"{ADAPTIVE} [a-greedy], [dear(id), (rest(id) > 2)]" in text
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


@pytest.mark.parametrize("order", ["1,2,0", None])
def test_an_argument_does_not_raise_on_rows_that_a_conjunct_drops(
    spark: SparkSession, settings: Change, order: str | None
) -> None:
    """Nor on sampled ones."""
    settings({"spark.sql.ansi.enabled": "true", f"{PREFIX}profilingProbability": 1})
    if order:
        settings({f"{PREFIX}forcedOrder": order})

    def query() -> DataFrame:
        texts = source(spark).withColumn("t", F.expr("CASE WHEN id % 5 > 0 THEN string(id) ELSE t END"))
        return texts.filter(F.expr("t RLIKE '^[0-9]+$'") & dear(F.expr("CAST(t AS INT)")) & (rest("id") > 2))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) > 500


def test_nor_on_rows_that_a_function_of_another_kind_drops(spark: SparkSession, settings: Change) -> None:
    settings({"spark.sql.ansi.enabled": "true", f"{PREFIX}profilingProbability": 1})
    even = F.udf(lambda n: n % 2 == 0, "boolean", useArrow=False)

    def query() -> DataFrame:
        texts = source(spark).withColumn("t", F.expr("CASE WHEN id % 10 > 2 THEN string(id) ELSE t END"))
        return texts.filter((rest("id") > 2) & few("id")).filter(even(F.expr("CAST(t AS INT)")))

    frame = query()
    adapted, stock = with_and_without(spark, query, is_adapted(frame))
    assert adapted == stock
    assert adapted


def test_a_value_does_not_raise_on_rows_that_a_conjunct_drops(spark: SparkSession, settings: Change) -> None:
    """Of a function on whose result there is no condition that the worker knows."""
    settings(
        {
            f"{PREFIX}forcedOrder": "1,2,0",
            "spark.sql.execution.arrow.maxRecordsPerBatch": 100,
        }
    )
    parsed = F.udf(lambda t: int(t[2:]) // (int(t[2:]) % 1000 - 500), "bigint")

    def query() -> DataFrame:
        known = source(spark, 6_000).filter(F.expr("NOT t RLIKE '500$'") & dear("id") & (rest("id") >= 0))
        return known.filter(parsed("t") != F.col("id") * 2)

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) > 2_000
    assert sum(s.reevaluated for s in stats(spark, "(NOT RLIKE")) > 0


def test_a_limit_ends_the_rows(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}forcedOrder": "1,2,0", "spark.sql.execution.arrow.maxRecordsPerBatch": 100})
    frame = source(spark).coalesce(1).filter(F.expr(SMALL) & dear("id") & (rest("id") > 2)).limit(7)
    assert is_adapted(frame)
    assert [row.id for row in frame.collect()] == [4, 14, 24, 34, 44, 54, 64]


def test_metrics_tell_where_the_time_goes(spark: SparkSession) -> None:
    frame = source(spark).filter(F.expr(ODD) & dear("id") & (rest("id") > 2))
    frame.collect()
    assert list(streamon.why_not(frame)) == []
    node = frame._jdf.queryExecution().executedPlan()
    while "AdaptivePythonFilter" not in node.nodeName():
        node = node.children().head()
    metrics = node.metrics()
    for name in ("nanos0", "nanos1", "nanos2", "tripNanos"):
        assert metrics.apply(name).value() > 0
    assert metrics.apply("evaluations0").value() >= 3000
