"""Which filters on Python functions adapt, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType, StringType
from python_predicates import (
    ADAPTIVE,
    PREFIX,
    Change,
    dear,
    explained,
    few,
    is_adapted,
    rest,
    two,
    with_and_without,
)

import streamon


def test_one_node_in_the_place_of_the_filter(
    anywhere: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    for function in (dear, rest, few):
        anywhere.udf.register(function.__name__, function)
    frame = anywhere.sql("SELECT id FROM range(1000) WHERE dear(id) AND rest(id) > 2 AND few(id)")
    text = explained(frame, capsys)
    assert f"{ADAPTIVE} [a-greedy]" in text
    assert "dear(id), (rest(id) > 2), few(id)" in text
    assert "ArrowEvalPython" not in text
    expected = [n for n in range(1000) if n % 97 == 3 and n % 10 > 2 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in frame.collect()) == expected


@F.pandas_udf(BooleanType(), 204)  # type: ignore[call-overload]
def iterates(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for batch in batches:
        yield batch % 2 == 0


@F.udf(BooleanType(), useArrow=False)
def known(moment: Any) -> bool:
    return moment is not None


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        (lambda: dear("id") & (F.col("id") > 3), "FEWER_THAN_TWO_CONJUNCTS"),
        (lambda: iterates("id") & (rest("id") > 3), "FUNCTION_KIND"),
        (
            lambda: known(F.timestamp_seconds("id")) & known(F.timestamp_seconds(-F.col("id"))),
            "PICKLED_TYPES",
        ),
        (lambda: dear(F.coalesce(rest("id"), rest(-F.col("id")))) & few("id"), "FUNCTION_OF_FUNCTION"),
    ],
)
def test_each_refusal_has_its_reason(spark: SparkSession, condition: Callable[[], Column], code: str) -> None:
    frame = spark.range(1000).filter(condition())
    assert code in [refusal.code for refusal in streamon.why_not(frame)]
    adapted, stock = with_and_without(spark, lambda: spark.range(1000).filter(condition()), adapts=False)
    assert adapted == stock


def test_a_function_that_is_not_deterministic_stays(spark: SparkSession) -> None:
    drawn = F.udf(lambda n: n % 2 == 0, BooleanType(), useArrow=True).asNondeterministic()
    codes = [refusal.code for refusal in streamon.why_not(spark.range(10).filter(drawn("id") & few("id")))]
    assert "FUNCTION_NOT_DETERMINISTIC" in codes


def test_strict_errors_leave_the_filter_to_spark(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}errors": "strict"})
    assert [r.code for r in streamon.why_not(two(spark.range(10)))] == ["STRICT_FUNCTIONS"]


def test_hints_reach_the_functions(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}mode": "hint"})
    frame = spark.range(1000).filter(dear("id") & (F.col("id") > 3) & few("id"))
    assert {r.code for r in streamon.why_not(frame)} == {"NO_HINT"}
    assert is_adapted(frame.hint("adaptive_filter"))
    strict = frame.hint("adaptive_filter", "errors=strict")
    assert "STRICT_FUNCTIONS" in [r.code for r in streamon.why_not(strict)]


def test_an_ordinary_filter_on_results_adapts_as_before(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    text = F.udf(lambda n: f"row-{n}", StringType(), useArrow=True)
    frame = spark.range(1000).filter(text("id").rlike("9$") & text("id").like("%7%"))
    assert "AdaptiveFilter [a-greedy]" in explained(frame, capsys)


def test_equal_filters_are_one_plan(spark: SparkSession) -> None:
    """Spark exchanges such rows once."""

    def adaptive(function: Any, least: int) -> Any:
        return spark.range(100).filter(dear("id") & (function("id") > least)).select("id")

    def plan(frame: DataFrame) -> Any:
        return frame._jdf.queryExecution().executedPlan()

    same, again = plan(adaptive(rest, 2)), plan(adaptive(rest, 2))
    assert same.sameResult(again)
    assert not same.sameResult(plan(adaptive(rest, 3)))


def test_a_selected_result_is_not_computed_again(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    def query() -> DataFrame:
        passing = spark.range(500).filter(dear("id") & (rest("id") > 2))
        return passing.select("id", rest("id").alias("rest"), (few("id")).alias("few"), rest("id") + 1)

    text = explained(query(), capsys)
    assert ADAPTIVE in text
    assert "ArrowEvalPython [few(id" in text
    assert "rest(id#" not in text
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


def test_it_learns_and_tells(spark: SparkSession, settings: Change) -> None:
    settings(
        {
            f"{PREFIX}profilingProbability": 0.2,
            f"{PREFIX}profilingBudget": 1,
            f"{PREFIX}window": 100,
            "spark.streamon.learning.enabled": "false",
        }
    )
    frame = two(spark.range(0, 200_000, 1, 1))
    frame.collect()
    decisions = [d for d in spark.sql("SELECT * FROM streamon_decisions()").collect() if "few(id)" in str(d)]
    assert all(d.operator.startswith(ADAPTIVE) for d in decisions)
    assert decisions
    (stats,) = [
        s
        for s in spark.sql("SELECT * FROM streamon_stats()").where("conjunct = 'dear(id)'").collect()
        if s.evaluations < 100_000
    ][-1:]
    assert stats.evaluations > 0


def test_a_task_learns_while_it_runs(spark: SparkSession, settings: Change) -> None:
    """Answers leave the worker at once, and batches that are on their way follow the new order."""
    settings({"spark.streamon.learning.enabled": "false"})
    frame = spark.range(0, 300_000, 1, 1).filter(dear("id") & few("id"))
    frame.collect()
    stats = spark.sql("SELECT * FROM streamon_stats() WHERE conjunct = 'dear(id)'").collect()
    assert stats[-1].input_rows == 300_000
    assert stats[-1].evaluations < 200_000


def test_rows_that_come_back_are_counted_without_reports(spark: SparkSession) -> None:
    frame = two(spark.range(0, 50_000, 1, 2))
    passing = len(frame.collect())
    node = frame._jdf.queryExecution().executedPlan()
    while ADAPTIVE not in node.nodeName():
        node = node.children().head()
    assert node.metrics().apply("pythonNumRowsReceived").value() == passing > 0
