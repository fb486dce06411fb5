"""What any fixed order would have evaluated in each month: counted exactly, so it has no noise."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from operator import add

from pyspark.sql import SparkSession

from streamon_lab.bench.filters.model import Costs, PassCounts, best_orders, cost
from streamon_lab.demo.query import PREDICATES
from streamon_lab.demo.scenes import Scene

WRITTEN = tuple(range(len(PREDICATES)))


def month_counts(spark: SparkSession, scene: Scene) -> list[PassCounts]:
    """Pass counts of every subset of the predicates, for each month in order."""
    bits = " + ".join(f"CASE WHEN {p.sql} THEN {1 << i} ELSE 0 END" for i, p in enumerate(PREDICATES))
    masks = spark.read.parquet(*map(str, scene.months)).selectExpr("month", f"{bits} AS mask")
    histograms: dict[int, dict[int, int]] = defaultdict(dict)
    for row in masks.groupBy("month", "mask").count().collect():
        histograms[row["month"]][row["mask"]] = row["count"]
    return [PassCounts.from_histogram(len(PREDICATES), histograms[month]) for month in sorted(histograms)]


def written_evaluations(counts: list[PassCounts]) -> list[int]:
    """Filters that stock Spark evaluates in each month: it follows the written order."""
    return [month.evaluations(WRITTEN) for month in counts]


def fewest_evaluations(counts: list[PassCounts]) -> list[int]:
    """The least filters that any order could evaluate in each month, whatever each filter costs."""
    cheap = [1.0] * len(PREDICATES)
    return [month.evaluations(best_orders(month, cheap)[0]) for month in counts]


def worth_of_changing(counts: list[PassCounts], costs: Costs) -> float:
    """Time in predicates of the best single order for the year, over that of each month's own best order."""
    changing = sum(cost(month, costs, best_orders(month, costs)[0]) for month in counts)
    year = reduce(add, counts)
    return cost(year, costs, best_orders(year, costs)[0]) / changing
