"""The committed table of results, with the method beside it."""

from __future__ import annotations

from collections.abc import Sequence

from streamon_lab.bench import page
from streamon_lab.bench.filters.report import TARGETS, Json, rows
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench filters --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`), stock Spark being the same session with
  `spark.streamon.enabled=false`. All variants of a workload are warmed up and then run round-robin,
  {rounds} rounds, each round starting with another variant; garbage is collected between runs.
  Stock Spark's worst order, far off and slow, runs every other round, save where it is the control.
- A ratio is of medians of wall-clock time, from the SQL text to the answer. 1.00 is the best fixed
  order in stock Spark. Every run of every variant must give the same count and checksum, or the
  bench stops.
- Worst and best orders come from an exact model: the rows that pass every subset of the predicates
  are counted on all the data, the cost of each predicate is measured in processor time, and all
  orders are searched by dynamic programming. The best fixed order is the fastest in a pilot run of
  the model's first three, greedy's, the marginals' and the cheapest-first one.
- Each run of an adaptive variant starts with nothing learned: a batch query does not inherit the
  profile of another.
- A/A is the best fixed order once more: what it is away from 1.00 is noise.
- `cheapest first` is the order that StreaMon's own static rule makes of the worst written order;
  `by marginals` ranks by drop rate over cost, each predicate alone; `oracle` changes its order at
  the row where the data does.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# Adaptive filters against stock Spark", ""]
    lines.append(METHOD.format(json=json_name, cores=environment["spark_cores"], rounds=method["rounds"]))
    lines += [page.ran_on(environment), "", *page.summary(judged(result["summary"], TARGETS))]
    lines += ["", "## Time over that of the best fixed order", ""]
    lines += page.table(rows(result))
    lines += ["", "## Predicates", ""]
    lines += predicates(result["details"])
    return "\n".join([*lines, ""])


def predicates(workloads: Sequence[Json]) -> list[str]:
    """The table of what the model knows of the predicates of workloads."""
    return page.table(
        [["workload", "rows", "predicate", "passes", "ns"]]
        + [
            [
                w["name"],
                f"{w['rows']:,}",
                page.code(p["sql"]),
                f"{p['pass_rate']:.3f}",
                "" if p["nanos"] is None else str(p["nanos"]),
            ]
            for w in workloads
            for p in w["predicates"]
        ]
    )
