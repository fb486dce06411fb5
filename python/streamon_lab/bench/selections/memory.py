"""The memory that the sets of rules take, as the operator reports it."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from streamon_lab.bench.session import settings

OPERATOR, METRIC = "MatchRules", "memory"


class NoOperatorError(AssertionError):
    """A plan has no operator that matches rules."""


def bytes_of_sets(spark: SparkSession, query: str) -> float:
    """Runs a query of `streamon_match` and reads its metric.

    Each task reports the sets of its executor, so this is the mean over the tasks.

    Raises:
        NoOperatorError: the plan has no such operator.
    """
    # An adaptive plan of Spark's would hide the operator in its stages.
    with settings(spark, {"spark.sql.adaptive.enabled": "false"}):
        frame = spark.sql(query)
        frame.collect()
    plan: Any = frame._jdf.queryExecution().executedPlan()
    operator = _find(plan)
    if operator is None:
        raise NoOperatorError(f"{OPERATOR} should be in this plan:\n{plan.toString()}")
    tasks = operator.outputPartitioning().numPartitions()
    return float(operator.metrics().apply(METRIC).value() / tasks)


def _find(plan: Any) -> Any:
    if plan.nodeName() == OPERATOR:
        return plan
    children = plan.children()
    found = (_find(children.apply(i)) for i in range(children.size()))
    return next((operator for operator in found if operator is not None), None)
