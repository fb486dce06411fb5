"""Filters on results of Python functions: the rows of stock Spark, in whatever order functions are called."""

from __future__ import annotations

import collections
import datetime
import decimal
import math
import os
import random
import uuid
from functools import partial
from operator import ne
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType, TimestampType
from python_functions import draw_query, table
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

SEED = int(os.environ.get("STREAMON_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)


def test_generated_filters(spark: SparkSession, settings: Change) -> None:
    print(f"replay with STREAMON_SEED={SEED}")
    draw = random.Random(SEED)  # noqa: S311
    source = table(spark, 3000, 2)
    adapted = trial = 0
    while trial < 24 or adapted < 12:
        batch = draw.choice([1, 100, 1000, 10_000]) if trial % 3 == 0 else 10_000
        settings(
            {
                "spark.sql.execution.arrow.maxRecordsPerBatch": batch,
                f"{PREFIX}algorithm": draw.choice(["a-greedy", "sweep", "local-swaps"]),
                f"{PREFIX}profilingProbability": draw.choice([0, 0.1, 1]),
                f"{PREFIX}profilingBudget": draw.choice([0.02, 1]),
            }
        )
        query = draw_query(draw, source.limit(300) if batch == 1 else source)
        adapts = is_adapted(query.frame)
        with_it, without = with_and_without(spark, lambda q=query: q.frame.select("*"), adapts)
        assert with_it == without, f"trial {trial} of seed {SEED}: {query.words}"
        adapted += adapts
        trial += 1
        assert trial < 100, "hardly any adapts"


@pytest.mark.parametrize("order", ["0,1,2", "2,1,0", "1,2,0"])
def test_every_forced_order(spark: SparkSession, settings: Change, order: str) -> None:
    settings({f"{PREFIX}forcedOrder": order})
    adapted, stock = with_and_without(
        spark, lambda: spark.range(2000).filter(dear("id") & (rest("id") > 2) & few("id"))
    )
    assert adapted == stock


def test_more_predicates_than_a_word_has_bits(spark: SparkSession, settings: Change) -> None:
    """Of 70 functions, behind a conjunct without, the last drops nearly all rows: it comes first."""
    settings({f"{PREFIX}profilingProbability": 0.02, f"{PREFIX}profilingBudget": 1})

    def query() -> DataFrame:
        condition = F.col("text").rlike("^n-[0-9]+.*[0-9]$|5")
        for i in range(69):
            condition = condition & F.udf(partial(ne, -i - 1), BooleanType(), useArrow=True)("id")
        rows = spark.range(0, 20_000, 1, 1).selectExpr("id", "concat('n-', id) AS text")
        return rows.filter(condition & few("id"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) > 200
    decisions = spark.sql("SELECT * FROM streamon_decisions()").collect()
    assert any(len(d.new_order) == 71 and "few(id)" in str(d.new_order[:2]) for d in decisions)
    query().collect()  # begins with what has been learned, however many batches were on their way before
    stats = spark.sql("SELECT * FROM streamon_stats()").collect()
    latest = [s for s in stats if s.query == stats[-1].query]
    assert len(latest) == 71
    assert next(s.position for s in latest if s.conjunct == "few(id)") <= 1
    assert sum(s.evaluations for s in latest) < 20_000 * 71 / 4


@pytest.mark.parametrize("dears", [64, 65])
def test_dear_conditions_beside_functions_have_a_bound(spark: SparkSession, dears: int) -> None:
    """Spark compiles each by itself, and forgets classes when there are more."""
    condition = dear("id") & few("id")
    for i in range(dears):
        condition = condition & ~F.col("text").rlike(f"^{i}0+$")
    rows = spark.createDataFrame([(1, "1"), (2, "20")], "id long, text string")
    assert is_adapted(rows.filter(condition)) == (dears == 64)


def test_results_that_are_read_above_come_back(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    def query() -> DataFrame:
        # The last condition reads two results, which only the JVM can.
        return spark.range(500).filter(dear("id") & (rest("id") > 2) & (rest("id") < F.col("id") % 7))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


@pytest.mark.parametrize(
    ("returns", "results"),
    [
        ("boolean", [True, False, None, 1, 0.5, "true", [1], {"a": 1}, datetime.date(2024, 1, 1)]),
        ("int", [5, None, True, 2.5, "7", 2**31, -(2**40) - 1, 2**63, -(2**70), decimal.Decimal(3)]),
        ("tinyint", [5, 300, -129, None]),
        ("bigint", [2**62, 2**63, None, 1.0]),
        ("double", [1.5, math.nan, math.inf, None, 3, True, "1.5"]),
        ("float", [1.1, 1e300, None, 2]),
        ("date", [datetime.date(2024, 2, 29), datetime.datetime(1969, 12, 31, 23, 0), None]),
    ],
)
def test_results_without_arrow_are_those_of_spark(
    spark: SparkSession, returns: str, results: list[Any]
) -> None:
    drawn = F.udf(lambda n: results[n % len(results)], returns, useArrow=False)
    small = F.udf(lambda n: n < 90, "boolean", useArrow=False)

    def query() -> DataFrame:
        passing = spark.range(100).filter(small("id") & (drawn("id").isNull() | drawn("id").isNotNull()))
        return passing.select("id", drawn("id").alias("drawn"))

    adapted, stock = with_and_without(spark, query)
    assert repr(adapted) == repr(stock)
    assert len(adapted) == 90


def test_texts_that_are_no_utf_8_reach_functions_without_arrow(spark: SparkSession) -> None:
    """Arrow cannot read them, the JVM can."""
    short = F.udf(lambda t: t is not None and len(t) == 2, "boolean", useArrow=False)
    has_b = F.udf(lambda t: (t is not None and "B" in t) or t == "\ufffdA", "boolean", useArrow=False)

    def query() -> DataFrame:
        texts = "CAST(CASE id % 3 WHEN 0 THEN X'FF41' WHEN 1 THEN X'4142' END AS STRING) AS text"
        source = spark.range(0, 30, 1, 1).selectExpr("id", texts)
        return source.filter(short("text") & has_b("text")).select("id")

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 20


@pytest.mark.parametrize("returns", ["int", "boolean"])
def test_what_the_jvm_reads_without_knowing_it_is_null(spark: SparkSession, returns: str) -> None:
    """Whatever package it is from."""
    odd = F.udf(
        lambda n: [pd.NA, np.sin, np.int64, uuid.UUID(int=1), {1}, ..., collections.OrderedDict(a=1)][n % 7],
        returns,
        useArrow=False,
    )
    small = F.udf(lambda n: n < 20, "boolean", useArrow=False)
    adapted, stock = with_and_without(
        spark, lambda: spark.range(30).filter(small("id") & odd("id").isNull()).select("id", odd("id"))
    )
    assert adapted == stock
    assert len(adapted) == 20


def test_a_vectorised_function_sees_the_types_of_the_whole_batch(
    spark: SparkSession, settings: Change
) -> None:
    """Whole numbers are floating-point ones to pandas where a row of the batch is NULL."""
    settings({f"{PREFIX}forcedOrder": "0,1"})
    known = F.pandas_udf(lambda s: s.notna(), BooleanType(), 200)  # type: ignore[call-overload]
    is_float = F.pandas_udf(  # type: ignore[call-overload]
        lambda s: pd.Series([s.dtype.kind == "f"] * len(s)), BooleanType(), 200
    )

    def query() -> DataFrame:
        numbers = spark.range(0, 100, 1, 1).selectExpr("id", "CASE WHEN id % 7 <> 0 THEN id END AS n")
        return numbers.filter(known("n") & is_float("n")).select("id")

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 85


def test_a_vectorised_function_sees_the_batches_of_spark_from_the_first_on(
    spark: SparkSession, settings: Change
) -> None:
    """A NULL far behind makes the numbers of a batch floating-point ones."""
    settings({"spark.streamon.learning.enabled": "false"})
    even = F.pandas_udf(lambda s: s % 2 == 0, BooleanType(), 200)  # type: ignore[call-overload]
    is_float = F.pandas_udf(  # type: ignore[call-overload]
        lambda s: pd.Series([s.dtype.kind == "f"] * len(s)), BooleanType(), 200
    )

    def query() -> DataFrame:
        numbers = spark.range(0, 1000, 1, 1).selectExpr("id", "CASE WHEN id <> 901 THEN id END AS n")
        return numbers.filter(even("id") & is_float("n")).select("id")

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 500


@pytest.mark.parametrize("column", ["array(n)", "array(n > 3)"])
def test_a_vectorised_function_sees_the_nested_types_of_the_whole_batch(
    spark: SparkSession, settings: Change, column: str
) -> None:
    settings({f"{PREFIX}forcedOrder": "0,1"})
    known = F.pandas_udf(lambda s: s.notna(), BooleanType(), 200)  # type: ignore[call-overload]
    of_objects = F.pandas_udf(  # type: ignore[call-overload]
        lambda s: s.map(lambda v: v.dtype == "object"), BooleanType(), 200
    )

    def query() -> DataFrame:
        numbers = spark.range(0, 100, 1, 1).selectExpr("id", "CASE WHEN id % 7 <> 0 THEN id END AS n")
        values = numbers.selectExpr("id", "n", f"{column} AS v")
        return values.filter(known("n") & of_objects("v")).select("id")

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 85


def test_a_result_that_depends_on_nulls_of_the_batch_is_not_used_again(spark: SparkSession) -> None:
    """Above the filter Spark calls the function for the rows that pass, which have no NULL here."""
    known = F.pandas_udf(lambda s: s.notna(), BooleanType(), 200)  # type: ignore[call-overload]
    text = F.pandas_udf(lambda s: s.astype(str), "string", 200)  # type: ignore[call-overload]

    def query() -> DataFrame:
        numbers = spark.range(0, 20, 1, 1).selectExpr("id", "CASE WHEN id % 7 <> 0 THEN id END AS n")
        return numbers.filter(known("n") & (text("n") != "x")).select("id", text("n").alias("text"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 17


def test_a_chain_of_functions(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    def query() -> DataFrame:
        return spark.range(500).filter(dear(rest("id")) & few("id"))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock


def test_arguments_by_name(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    @F.udf("boolean")
    def between(n: int, low: int, high: int) -> bool:
        return low < n < high

    def query() -> DataFrame:
        return spark.range(100).filter(between("id", high=F.lit(60), low=F.lit(30)) & (rest(n="id") > 4))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 15


def test_rows_keep_their_order(spark: SparkSession) -> None:
    frame = spark.range(0, 20_000, 1, 1).filter(dear("id") & (rest("id") > 2))
    assert is_adapted(frame)
    found = [row.id for row in frame.collect()]
    assert found == sorted(found)


def test_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "in"
    spark.range(0, 5000, 1, 4).write.parquet(str(source))
    stream = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).parquet(str(source))
    query = (
        two(stream)
        .writeStream.format("memory")
        .queryName("passing")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    expected = [n for n in range(5000) if n % 97 == 3 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in spark.table("passing").collect()) == expected
    assert ADAPTIVE in query._jsq.streamingQuery().lastExecution().executedPlan().toString()


def test_directly_above_a_scan_of_parquet(spark: SparkSession, tmp_path: Path) -> None:
    """On Spark 4.2.0 a `@udf` there hangs (SPARK-58241)."""
    path = str(tmp_path / "numbers")
    spark.range(0, 50_000, 1, 2).write.parquet(path)
    frame = two(spark.read.parquet(path))
    assert is_adapted(frame)
    assert frame.count() == sum(n % 97 == 3 and (49 * 25 * n) % 2 == 0 for n in range(50_000))


def test_a_cached_frame_and_a_broadcast_variable(spark: SparkSession) -> None:
    wanted = spark.sparkContext.broadcast({3, 33, 333})
    seen = spark.sparkContext.accumulator(0)

    @F.udf("boolean")
    def is_wanted(n: int) -> bool:
        seen.add(1)
        return n in wanted.value

    frame = spark.range(0, 1000, 1, 1).filter((rest("id") == 3) & is_wanted("id")).cache()
    try:
        assert is_adapted(frame)
        assert frame.collect() == [Row(id=3), Row(id=33), Row(id=333)]
        # Of the rows that the other function leaves, and of those that are profiled.
        assert 100 <= seen.value < 500
    finally:
        frame.unpersist()


@pytest.mark.parametrize(
    "setting", ["maxRecordsPerOutputBatch", "maxBytesPerOutputBatch", "maxBytesPerBatch"]
)
def test_batches_of_any_size(spark: SparkSession, settings: Change, setting: str) -> None:
    settings({f"spark.sql.execution.arrow.{setting}": 700})
    # Spark 4.2.0 fails where its own answers are cut.
    frame = spark.range(3000).filter(dear("id") & (rest("id") > 2))
    assert is_adapted(frame)
    expected = [n for n in range(3000) if n % 10 > 2 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in frame.collect()) == expected


def test_moments_come_back_in_any_zone(spark: SparkSession, settings: Change) -> None:
    settings({"spark.sql.session.timeZone": "America/Los_Angeles"})

    @F.pandas_udf(TimestampType())  # type: ignore[call-overload]
    def later(moment: pd.Series) -> pd.Series:
        return moment + pd.Timedelta(hours=1)

    def query() -> DataFrame:
        source = spark.range(300).selectExpr("id", "timestamp_seconds(1700000000 + id * 3600) AS moment")
        passing = source.filter(later("moment").isNotNull() & (later("moment") > F.col("moment")))
        return passing.filter(_even("id")).select("id", later("moment").alias("later"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 150


@F.pandas_udf(BooleanType())  # type: ignore[call-overload]
def _even(numbers: pd.Series) -> pd.Series:
    return numbers % 2 == 0


def test_where_nothing_passes(spark: SparkSession, settings: Change) -> None:
    settings({"spark.sql.execution.arrow.maxRecordsPerBatch": 100})
    frame = spark.range(0, 30_000, 1, 1).filter((rest("id") > 8) & (rest("id") < 1))
    assert frame.filter(few("id")).count() == 0


def test_a_limit_stops_early(spark: SparkSession) -> None:
    assert spark.range(0, 10_000_000, 1, 1).filter(dear("id") & (rest("id") > 2)).limit(5).count() == 5
