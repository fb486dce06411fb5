"""What the bench asks of StreaMon in Spark: its hint, its off switch, and what it counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Row, SparkSession

from streamon_lab.bench.filters.workload import Order, Workload
from streamon_lab.bench.stopwatch import Stopwatch

HINT = "/*+ ADAPTIVE_FILTER */"
STATIC_HINT = "/*+ ADAPTIVE_FILTER('algorithm=static') */"
OFF = {"spark.streamon.enabled": "false"}
OPERATOR = "AdaptiveFilter"
PYTHON_OPERATOR = "AdaptivePythonFilter"


class UnexpectedPlanError(AssertionError):
    """The adaptive operator is in a plan where it should not be, or the reverse."""


@dataclass(frozen=True)
class Counted:
    """Counts of one execution: evaluations of each predicate, by its index in the workload."""

    evaluations: tuple[int, ...]
    position: Order
    profiled: int
    reorders: int


def last_execution(spark: SparkSession, written: Order) -> Counted:
    """The counts of the newest batch execution with an adaptive filter, whose text was in `written` order."""
    return _counted({written[r["written"]]: r for r in newest(spark)})


def last_calls(spark: SparkSession, calls: Sequence[str]) -> Counted:
    """The counts of the newest batch execution, of the conjuncts with these calls of Python functions."""
    rows = newest(spark)
    return _counted({i: r for i, call in enumerate(calls) for r in rows if call in r["conjunct"]})


def newest(spark: SparkSession) -> list[Row]:
    """The rows of `streamon_stats()` for the newest batch execution."""
    rows = [r for r in spark.sql("SELECT * FROM streamon_stats()").collect() if r["query"].startswith("exec")]
    latest = max((r["query"] for r in rows), key=lambda query: int(query.split("-")[1]))
    return [r for r in rows if r["query"] == latest]


def _counted(mine: Mapping[int, Row]) -> Counted:
    anyone = next(iter(mine.values()))
    return Counted(
        evaluations=tuple(mine[i]["evaluations"] for i in sorted(mine)),
        position=tuple(sorted(mine, key=lambda i: mine[i]["position"])),
        profiled=anyone["profiled"],
        reorders=anyone["reorders"],
    )


def static_order(watch: Stopwatch, workload: Workload, written: Order) -> Order:
    """The order in which StreaMon's own cheapest-first rule runs the workload written in another order."""
    watch.run(workload.query(written, STATIC_HINT), workload.conf)
    return last_execution(watch.spark, written).position


def check_plan(spark: SparkSession, query: str, *, adaptive: bool) -> None:
    """Raises `UnexpectedPlanError` unless the operator is in the query's plan just when it should be."""
    plan = plan_of(spark, query)
    if (OPERATOR in plan) != adaptive:
        raise UnexpectedPlanError(f"{OPERATOR} should{'' if adaptive else ' not'} be in this plan:\n{plan}")


def plan_of(spark: SparkSession, query: str) -> str:
    """The plan of a query as `EXPLAIN` has it."""
    return str(spark.sql(f"EXPLAIN {query}").collect()[0][0])
