"""Functions that filters are made of, and what a query gives with StreaMon and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType, IntegerType

ADAPTIVE = "AdaptivePythonFilter"
PREFIX = "spark.streamon.filter."
Change = Callable[[dict[str, Any]], None]


def explained(frame: DataFrame, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    frame.explain()
    return capsys.readouterr().out


def outcome(frame: DataFrame) -> Any:
    """Sorted rows, or what is raised: its class, and what the user's function said.

    Of an error that PySpark has no class for it is the class of the JVM, and whether a worker has died.
    """
    try:
        return sorted(frame.collect(), key=repr)
    except PySparkException as error:
        said = [line for line in str(error).splitlines() if "boom" in line]
        return type(error).__name__, error.getCondition(), said[-1:]
    except Py4JJavaError as error:
        died = "Python worker exited unexpectedly (crashed)" in str(error)
        return type(error).__name__, error.java_exception.getClass().getName(), died


def is_adapted(frame: DataFrame) -> bool:
    return ADAPTIVE in str(frame._jdf.queryExecution().executedPlan())


def conditions_of(frame: DataFrame) -> int:
    """How many conditions the adaptive filter of a frame orders."""
    node = frame._jdf.queryExecution().executedPlan()
    while node.nodeName() != ADAPTIVE:
        node = node.finalPhysicalPlan() if node.nodeName() == "AdaptiveSparkPlan" else node.children().head()
    return int(node.texts().size())


def with_and_without(
    session: SparkSession, query: Callable[[], DataFrame], adapts: bool = True
) -> tuple[Any, Any]:
    """The outcomes of a query; its plan must have the operator, or must not."""
    frame = query()
    assert is_adapted(frame) == adapts
    return outcome(frame), stock_outcome(session, query)


def stock_outcome(session: SparkSession, query: Callable[[], DataFrame]) -> Any:
    session.conf.set("spark.streamon.enabled", "false")
    try:
        return outcome(query())
    finally:
        session.conf.unset("spark.streamon.enabled")


@F.udf(BooleanType(), useArrow=True)
def dear(n: int | None) -> bool:
    return sum(i * (n or 0) for i in range(50)) % 2 == 0


@F.udf(IntegerType(), useArrow=True)
def rest(n: int | None) -> int | None:
    return None if n is None else n % 10


@F.udf(BooleanType(), useArrow=True)
def few(n: int | None) -> bool:
    return n is not None and n % 97 == 3


def two(frame: DataFrame) -> DataFrame:
    return frame.filter(dear("id") & few("id")).select("id")
