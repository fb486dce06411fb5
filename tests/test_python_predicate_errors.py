"""Python functions that raise, and those that must not be called for a row: as in stock Spark."""

from __future__ import annotations

import enum
import os
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from failing_functions import RAISES, generated_trials
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType
from python_predicates import (
    PREFIX,
    Change,
    dear,
    few,
    is_adapted,
    rest,
    with_and_without,
)

import streamon

SEED = int(os.environ.get("STREAMON_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)


@pytest.mark.parametrize("trials", [8, pytest.param(60, marks=pytest.mark.prove)])
def test_generated_filters_that_raise(
    spark: SparkSession, settings: Change, tmp_path: Path, trials: int
) -> None:
    """On some rows, which other conditions drop or not."""
    generated_trials(spark, settings, SEED, trials, tmp_path, [RAISES])


def boom(kind: str) -> Callable[[str], Column]:
    """A function that raises on 13."""

    def fail(n: int) -> bool:
        if n == 13:
            raise ValueError(f"boom of {kind}")
        return True

    if kind == "row":
        return F.udf(fail, "boolean")  # type: ignore[no-any-return]
    if kind == "pandas":
        return F.pandas_udf(lambda s: s.map(fail), "boolean", 200)  # type: ignore[no-any-return, call-overload]
    return F.arrow_udf(  # type: ignore[no-any-return, attr-defined]
        lambda a: pa.array([fail(n) for n in a.to_pylist()], pa.bool_()), "boolean", 250
    )


@pytest.mark.parametrize("kind", ["row", "pandas", "arrow"])
@pytest.mark.parametrize("order", ["0,1", "1,0"])
def test_what_raises_raises_as_in_stock_spark(
    spark: SparkSession, settings: Change, kind: str, order: str
) -> None:
    settings({f"{PREFIX}forcedOrder": order})
    raises = boom(kind)
    adapted, stock = with_and_without(
        spark, lambda: spark.range(1000).filter(raises("id") & (rest("id") < 4))
    )
    assert adapted == stock
    assert "boom" in str(stock)


def test_an_error_may_vanish_on_a_row_that_is_rejected(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}forcedOrder": "1,0"})
    frame = spark.range(1000).filter(boom("row")("id") & (rest("id") > 3))
    assert is_adapted(frame)
    assert frame.count() == 600


def test_a_condition_of_the_jvm_guards_a_function(spark: SparkSession) -> None:
    raises = boom("row")
    adapted, stock = with_and_without(
        spark, lambda: spark.range(1000).filter((F.col("id") > 20) & raises("id") & (rest("id") > 3))
    )
    assert adapted == stock
    assert len(adapted) > 100


def levels(frame: DataFrame) -> DataFrame:
    """Spark calls the second function, of another kind, for rows that pass the first."""

    def fail_on_13(numbers: pd.Series) -> pd.Series:
        if (numbers == 13).any():
            raise ValueError("boom")
        return numbers % 2 == 0

    fails = F.pandas_udf(fail_on_13, BooleanType())  # type: ignore[call-overload]
    return frame.filter((rest("id") != 3) & fails("id"))


@pytest.mark.parametrize("order", ["0,1", "1,0", None])
def test_a_function_of_another_kind_is_guarded(
    spark: SparkSession, settings: Change, order: str | None
) -> None:
    learn = {f"{PREFIX}profilingProbability": 1, f"{PREFIX}profilingBudget": 1}
    settings({f"{PREFIX}forcedOrder": order} if order else learn)
    adapted, stock = with_and_without(spark, lambda: levels(spark.range(5000)))
    assert adapted == stock
    assert len(adapted) == 2500


def test_no_panic_out_of_turn(spark: SparkSession, settings: Change) -> None:
    """As libraries in Rust have them: no `Exception`."""
    settings({f"{PREFIX}profilingProbability": 1, f"{PREFIX}profilingBudget": 1})

    def panic_on_13(numbers: pd.Series) -> pd.Series:
        class Panic(BaseException):
            pass

        if (numbers == 13).any():
            raise Panic("boom")
        return numbers % 2 == 0

    panics = F.pandas_udf(panic_on_13, BooleanType())  # type: ignore[call-overload]
    adapted, stock = with_and_without(
        spark, lambda: spark.range(0, 1000, 1, 1).filter((rest("id") != 3) & panics("id"))
    )
    assert adapted == stock
    assert len(adapted) == 500


def test_a_function_that_raised_out_of_turn_goes_back(spark: SparkSession, settings: Change) -> None:
    """Or every batch would be evaluated twice."""
    settings(
        {
            f"{PREFIX}profilingProbability": 1,
            f"{PREFIX}profilingBudget": 1,
            f"{PREFIX}window": 32,
            "spark.sql.execution.arrow.maxRecordsPerBatch": 100,
            "spark.streamon.learning.enabled": "false",
        }
    )

    def raises_often(numbers: pd.Series) -> pd.Series:
        if (numbers % 400 == 13).any():
            raise ValueError("boom")
        return numbers % 50 == 0

    often = F.pandas_udf(raises_often, BooleanType())  # type: ignore[call-overload]
    frame = spark.range(0, 40_000, 1, 1).filter((rest("id") != 3) & often("id"))
    assert is_adapted(frame)
    assert frame.count() == 800
    stats = spark.sql("SELECT * FROM streamon_stats()").where("conjunct LIKE 'raises_often%'").collect()
    # Twice in few batches of 400.
    assert min(s.evaluations for s in stats) < 45_000


@pytest.mark.parametrize(
    "result",
    [np.bool_(True), [np.int64(1)], enum.IntEnum("Kind", "A").A, Fraction(1, 2), Row(a=1)],  # type: ignore[attr-defined]
)
def test_what_the_jvm_cannot_read_raises(spark: SparkSession, result: Any) -> None:
    cannot = F.udf(lambda _: result, BooleanType(), useArrow=False)
    frame = spark.range(10).filter(cannot("id").isNull() & few("id"))
    assert is_adapted(frame)
    with pytest.raises(PySparkException, match=r"returned .*JVM cannot read: make it a bool"):
        frame.select("*").collect()
    spark.conf.set("spark.streamon.enabled", "false")
    try:
        stock = frame.select("*")
        with pytest.raises(Exception, match=r"PickleException|pickle"):
            stock.collect()
    finally:
        spark.conf.unset("spark.streamon.enabled")


def test_draws_are_those_of_spark(spark: SparkSession) -> None:
    def query() -> DataFrame:
        return spark.range(0, 2000, 1, 1).filter((F.rand(42) < 0.5) & dear("id") & (rest("id") > 2))

    adapted, stock = with_and_without(spark, query, adapts=False)
    assert adapted == stock
    assert "NOT_DETERMINISTIC" in [refusal.code for refusal in streamon.why_not(query())]
