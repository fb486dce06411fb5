"""The operator that matches rules, and the memory that it says the sets of rules take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from streamon_lab.bench.session import settings

OPERATOR, METRIC = "MatchRules", "memory"
NOT_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}
"""An adaptive plan of Spark's would hide the operator in its stages."""


class NoOperatorError(AssertionError):
    """A plan has no operator that matches rules."""


def bytes_of_sets(spark: SparkSession, query: str) -> float:
    """Runs a query of `streamon_match` and reads its metric.

    Each task reports the sets of its executor, so this is the mean over the tasks.

    Raises:
        NoOperatorError: the plan has no such operator.
    """
    with settings(spark, NOT_ADAPTIVE):
        frame = spark.sql(query)
        frame.collect()
        operator = _operator(frame)
    tasks = operator.outputPartitioning().numPartitions()
    return float(operator.metrics().apply(METRIC).value() / tasks)


def require_operator(spark: SparkSession, query: str, conf: Mapping[str, str]) -> None:
    """Plans a query, to see that one operator matches its conditions.

    Raises:
        NoOperatorError: the plan has no such operator.
    """
    with settings(spark, {**NOT_ADAPTIVE, **conf}):
        _operator(spark.sql(query))


def _operator(frame: DataFrame) -> Any:
    plan: Any = frame._jdf.queryExecution().executedPlan()
    operator = _find(plan)
    if operator is None:
        raise NoOperatorError(f"{OPERATOR} should be in this plan:\n{plan.toString()}")
    return operator


def _find(plan: Any) -> Any:
    if plan.nodeName() == OPERATOR:
        return plan
    children = plan.children()
    found = (_find(children.apply(i)) for i in range(children.size()))
    return next((operator for operator in found if operator is not None), None)
