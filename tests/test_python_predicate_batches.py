"""Vectorised functions in filters, called for what is left of several batches."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType
from python_functions import KINDS, SCALARS, body, made, table
from python_predicates import PREFIX, Change, is_adapted, outcome, with_and_without

SEED = int(os.environ.get("STREAMON_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


def test_a_function_is_called_less_often(spark: SparkSession, settings: Change) -> None:
    settings({BATCH: 200, f"{PREFIX}forcedOrder": "0,1", f"{PREFIX}profilingProbability": 0.01})
    calls, rows = (spark.sparkContext.accumulator(0) for _ in range(2))

    @F.pandas_udf(BooleanType())  # type: ignore[call-overload]
    def one_in_ten(numbers: pd.Series) -> pd.Series:
        return numbers % 10 == 0

    @F.pandas_udf(BooleanType())  # type: ignore[call-overload]
    def even_tens(numbers: pd.Series) -> pd.Series:
        calls.add(1)
        rows.add(len(numbers))
        assert len(numbers) <= 200
        return numbers % 20 == 0

    frame = spark.range(0, 20_000, 1, 1).filter(one_in_ten("id") & even_tens("id"))
    assert [row.id for row in frame.collect()] == list(range(0, 20_000, 20))
    # And those that are sampled.
    assert 2_000 <= rows.value < 3_000
    assert 10 <= calls.value <= 40, "without others to wait for it would be 100"


def test_generated_filters_of_small_batches(spark: SparkSession, settings: Change) -> None:
    """Selective functions of all kinds, with NULLs in some batches only, raising here and there."""
    print(f"replay with STREAMON_SEED={SEED}")
    draw = random.Random(SEED)  # noqa: S311
    source = table(spark, 4000, 2).withColumn("n", F.expr("IF(id % 1000 < 500, n, CAST(id % 50 AS INT))"))
    for trial in range(12):
        settings(
            {
                BATCH: draw.choice([20, 100, 400]),
                f"{PREFIX}profilingProbability": draw.choice([0, 0.02, 0.5]),
                f"{PREFIX}profilingBudget": draw.choice([0.02, 1]),
            }
        )
        raises_at = draw.choice([None, None, draw.randrange(4000)])
        asked, words = [], []
        for _ in range(draw.randint(2, 4)):
            kind = draw.choice(["pandas", "arrow", "pandas", "arrow", *KINDS])
            columns = ["id", *draw.sample([c for c in SCALARS if kind != "pickled" or c != "moment"], 1)]
            call = _selective(draw.randint(1, 50), draw.choice([5, 30, 80]), raises_at)
            asked.append(made(kind, call, "boolean")(*columns))
            words.append(f"{kind} of {columns[1]}")

        def query(asked: Any = asked) -> DataFrame:
            frame = source
            for each in asked:
                frame = frame.filter(each)
            return frame.select("id")

        adapts = is_adapted(query())
        adapted, stock = with_and_without(spark, query, adapts)
        assert adapted == stock, f"trial {trial} of seed {SEED}: {words}, raises at {raises_at}"


def _selective(seed: int, share: int, raises_at: int | None) -> Callable[..., Any]:
    number = body(seed, "int", 0)

    def call(row: int, *values: Any) -> bool:
        if row == raises_at:
            raise ValueError("boom")
        return bool(number(row, *values) < share)

    return call


def test_batches_whose_types_differ_to_pandas_are_not_joined(spark: SparkSession, settings: Change) -> None:
    """Whole numbers are floating-point ones to pandas in a batch with NULLs."""
    settings({BATCH: 100, f"{PREFIX}forcedOrder": "0,1"})

    @F.pandas_udf(BooleanType())  # type: ignore[call-overload]
    def one_in_ten(numbers: pd.Series) -> pd.Series:
        return numbers % 10 == 5

    @F.pandas_udf(BooleanType())  # type: ignore[call-overload]
    def is_float(numbers: pd.Series) -> pd.Series:
        return pd.Series([numbers.dtype.kind == "f"] * len(numbers))

    def query() -> DataFrame:
        n = "CASE WHEN id % 300 <> 1 THEN id END AS n"
        return spark.range(0, 6_000, 1, 1).selectExpr("id", n).filter(one_in_ten("id") & is_float("n"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 200


def test_a_limit_is_reached_before_a_row_that_raises(spark: SparkSession, settings: Change) -> None:
    """The rows are in batches before that one, which waits with them."""
    settings({BATCH: 100, f"{PREFIX}forcedOrder": "0,1", f"{PREFIX}profilingProbability": 0})

    @F.arrow_udf(BooleanType())  # type: ignore[attr-defined]
    def one_in_ten(numbers: pa.Array) -> pa.Array:
        return pa.array(numbers.to_numpy() % 10 == 0)

    @F.arrow_udf(BooleanType())  # type: ignore[attr-defined]
    def strict(numbers: pa.Array) -> pa.Array:
        if pc.any(pc.greater(numbers, 2_000)).as_py():
            raise ValueError("boom")
        return pc.greater_equal(numbers, 0)

    frame = spark.range(0, 5_000, 1, 1).filter(one_in_ten("id") & strict("id"))
    assert frame.limit(150).count() == 150
    assert outcome(frame)[0] == "PythonException"
