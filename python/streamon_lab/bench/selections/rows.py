"""Generated rows: their columns are equally distributed, or differ in how often they have a hot value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from pyspark.sql import DataFrame, SparkSession

from streamon_lab.bench.selections.rules import COLUMNS, HOT, VALUES

HOT_SHARES = (0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.92, 0.98)
"""How often each column has a hot value. Where the roles are swapped, the last one has the first share."""


class Data(Enum):
    """How the values of the columns are drawn, each column by itself except where it is said.

    In `SKEWED` rows, the first three columns are hot by one draw: where the first is, so are the others. In
    `DRIFT` the roles are swapped half-way through each task.
    """

    EVEN = "even"
    SKEWED = "skewed"
    SWAPPED = "swapped"
    DRIFT = "drift"


def rows(spark: SparkSession, data: Data, count: int) -> DataFrame:
    """Rows with an `id`, which counts from 0, and the columns. Each task has as many, in sequence of ids."""
    tasks = spark.sparkContext.defaultParallelism
    frame = spark.range(0, count, 1, tasks)
    if data is Data.EVEN:
        return frame.selectExpr("id", *(f"{_drawn(i, VALUES)} AS {c}" for i, c in enumerate(COLUMNS)))
    swapped = {
        Data.SKEWED: "false",
        Data.SWAPPED: "true",
        Data.DRIFT: f"pmod(id, {-(-count // tasks)}) >= {count // tasks // 2}",
    }[data]
    return frame.selectExpr("id", *(f"{_skewed(i, swapped)} AS {c}" for i, c in enumerate(COLUMNS)))


@contextmanager
def cached(spark: SparkSession, name: str, data: Data, count: int) -> Iterator[DataFrame]:
    """Rows in memory, as a view, for a while."""
    frame = rows(spark, data, count).cache()
    try:
        frame.count()
        frame.createOrReplaceTempView(name)
        yield frame
    finally:
        frame.unpersist(blocking=True)
        spark.catalog.dropTempView(name)


def _skewed(column: int, swapped: str) -> str:
    last = len(COLUMNS) - 1

    def hot(role: int) -> str:
        draw = 0 if role < 3 else role
        return f"pmod(xxhash64(id, 'hot', {draw}), {VALUES}) < {round(HOT_SHARES[role] * VALUES)}"

    is_hot = f"CASE WHEN {swapped} THEN {hot(last - column)} ELSE {hot(column)} END"
    value = _drawn(column, VALUES - HOT)
    return f"CAST(IF({is_hot}, {value} % {HOT}, {value} + {HOT}) AS INT)"


def _drawn(column: int, values: int) -> str:
    return f"CAST(pmod(xxhash64(id, {column}), {values}) AS INT)"
