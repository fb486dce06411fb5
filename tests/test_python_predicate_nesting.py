"""Functions in filters that are called with what several others return."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType
from python_functions import ARROW as TYPES
from python_functions import KINDS, made
from python_predicates import PREFIX, Change, dear, few, is_adapted, rest, with_and_without

import streamon


def gives(kind: str, returns: str, seed: int) -> Callable[..., Column]:
    """A function of a number, of a kind and with results of a type, some of them None."""

    def call(n: int) -> Any:
        d = n * seed % 23
        results: dict[str, Any] = {
            "boolean": d % 3 > 0,
            "int": d,
            "double": float("nan") if d == 7 else d / 4,
            "string": f"s{d}\u00e9",
            "date": datetime.date(2024, 1, 1) + datetime.timedelta(days=d),
            "decimal(12,2)": decimal.Decimal(d) / 4,
            "bigint": 2**62 + d,
            "float": -0.0 if d == 9 else d / 3,
            "binary": bytes([0, d]),
        }
        return None if d == 5 else results[returns]

    return made(kind, call, returns)


def takes(kind: str) -> Callable[..., Column]:
    """A function of two values of any type."""

    def call(a: Any, b: Any) -> bool:
        return sum(map(ord, repr((a, b)))) % 3 > 0

    return made(kind, call, "boolean")


@pytest.mark.parametrize("returns", list(TYPES))
@pytest.mark.parametrize("kind", KINDS)
def test_of_any_kinds_and_types(spark: SparkSession, settings: Change, kind: str, returns: str) -> None:
    """All of them adapt but for types that pandas makes others of where there are NULLs."""
    inner = KINDS[(KINDS.index(kind) + list(TYPES).index(returns)) % len(KINDS)]
    settings({"spark.sql.execution.arrow.maxRecordsPerBatch": 90})
    first, second = gives(inner, returns, 3), gives(inner, returns, 8)

    def query() -> DataFrame:
        return spark.range(0, 400, 1, 2).filter(takes(kind)(first("id"), second("id")) & few("id"))

    unknown = inner == "pickled" and returns in ("string", "decimal(12,2)", "binary")
    sees_nulls = kind == "pandas" and returns in ("boolean", "int", "bigint")
    adapts = not unknown and not sees_nulls
    assert adapts == (list(streamon.why_not(query())) == [])
    adapted, stock = with_and_without(spark, query, adapts=adapts)
    assert adapted == stock


@pytest.mark.parametrize("order", ["0,1,2", "2,1,0", "1,2,0", None])
def test_what_is_asked_of_an_inner_result_goes_first(
    spark: SparkSession, settings: Change, order: str | None
) -> None:
    """Other orders are followed as well where they are forced."""
    if order is not None:
        settings({f"{PREFIX}forcedOrder": order})
    else:
        settings({f"{PREFIX}profilingProbability": 0.5, f"{PREFIX}profilingBudget": 1})
    both = takes("row")

    def query() -> DataFrame:
        return spark.range(0, 60_000, 1, 2).filter(
            both(rest("id"), rest(-F.col("id"))) & (rest("id") > 2) & dear("id")
        )

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted
    stats = streamon.stats(spark).collect()[-3:]
    positions = {s.conjunct: s.position for s in stats}
    assert set(positions) == {"call(rest(id), rest(negative(id)))", "(rest(id) > 2)", "dear(id)"}
    if order is None:
        assert positions["(rest(id) > 2)"] < positions["call(rest(id), rest(negative(id)))"]


def test_arguments_by_name_and_results_that_are_read_above(spark: SparkSession) -> None:
    @F.udf("boolean", useArrow=True)
    def below(low: int, high: int, n: int) -> bool:
        return low < high and n % 2 == 0

    def query() -> DataFrame:
        low, high = rest("id"), rest(F.col("id") + 3)
        passing = spark.range(300).filter(below(n="id", high=high, low=low) & (low > 1))
        return passing.select("id", low.alias("low"), high.alias("high"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


def test_three_deep(spark: SparkSession) -> None:
    add = F.udf(lambda a, b: a + b, "int", useArrow=True)

    def query() -> DataFrame:
        inner = add(rest("id"), rest(F.col("id") * 7))
        outer = add(inner, rest(F.col("id") * 3))
        return spark.range(500).filter((outer > 9) & dear("id") & (inner < 14))

    assert is_adapted(query())
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


@pytest.mark.parametrize("guarded", [True, False])
def test_an_inner_function_that_raises(spark: SparkSession, settings: Change, guarded: bool) -> None:
    """It raises as in Spark, or not at all where Spark does not call it for the row."""
    settings({f"{PREFIX}forcedOrder": "1,0"})

    @F.udf("int", useArrow=True)
    def strict(n: int) -> int:
        if n == 77:
            raise ValueError("boom")
        return n

    both = F.udf(lambda a, b: a + b < 300, BooleanType(), useArrow=True)
    small = F.arrow_udf(lambda a: a.to_numpy() < 70, BooleanType())  # type: ignore[attr-defined]
    known = small if guarded else F.udf(lambda n: n < 70, BooleanType(), useArrow=True)

    def query() -> DataFrame:
        return spark.range(0, 200, 1, 1).filter(known("id") & both(strict("id"), rest("id")))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
