"""Rules in polars: a list of the ids that match for each rule, all in one query.

Of the forms that were tried this is the fastest: counts and sums of each rule, a query for each rule, and one
sum over all rules take 0.9 to 2.5 times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_
from typing import Any

import pyarrow as pa

from streamon_lab.bench.selections.lane import Done, timed
from streamon_lab.bench.selections.rules import Rule

THREADS = "POLARS_MAX_THREADS"
"""The variable of the environment that polars reads when it is loaded."""


def run(rows: pa.Table, rules: list[Rule]) -> Callable[[], Done]:
    """What runs the rules over rows that polars has in memory."""
    import polars as pl

    def condition(rule: Rule) -> Any:
        bounds = [b for c, (low, end) in rule.ranges.items() for b in (pl.col(c) >= low, pl.col(c) < end)]
        return reduce(and_, bounds)

    frame: Any = pl.from_arrow(rows)

    def matches() -> tuple[int, int]:
        ids = [pl.col("id").filter(condition(rule)).implode().alias(rule.name) for rule in rules]
        lists = [column[0] for column in frame.lazy().select(ids).collect()]
        return sum(map(len, lists)), sum(found.sum() for found in lists)

    return lambda: timed(matches)
