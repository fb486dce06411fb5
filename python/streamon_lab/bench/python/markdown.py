"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.filters import markdown
from streamon_lab.bench.python.report import Json, rows
from streamon_lab.bench.python.summary import TARGETS
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench python --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`), stock Spark being the same session with
  `spark.streamon.enabled=false`. All variants of a workload are warmed up and then run round-robin,
  {rounds} rounds, each round starting with another variant; garbage is collected between runs. Every run
  of every variant must give the same count and checksum, and have the nodes in its plan that it should, or
  the bench stops.
- Times are medians of **processor time**: that of Spark's tasks and of all processes below the JVM, which are
  its Python workers. The clock, from the SQL text to the answer, stands beside it; a figure by the clock ends
  with `_clock`.
- Worst and best orders come from an exact model: the rows that pass every subset of the predicates are
  counted on all the data, and the cost of each predicate is measured without the way of its columns to a
  worker, which is what a function of the same kind takes that does nothing.
- "stock" is the filter as Spark runs it: all functions are called for all rows, in whatever order they are
  written. "again" is the same once more: how far the two are apart is noise. The chain has a node for
  each function, in the best order; Spark makes it of nested queries when `PushDownPredicates` is off.
- "by hand" is one function that does what all of them do, in the best order: those of rows are joined by
  `and`, vectorised ones are called for the rows that are left. Conditions of the JVM stand where the model
  has them, in front or behind; where that is not in front alone, a second variant has all in front. On
  the flip there is one function for each half. It is the oracle.
- "static" is one worker of StreaMon's with the best order as it is written. It never profiles. Each run of
  an adaptive variant starts with nothing learned.
- `speedup_...` is stock over adaptive, from whichever written order is the slower. `speedup_arrow` is the
  less of `arrow` and `arrow-udf`, `speedup_vectorised` of the two vectorised ones. `regret_to_oracle` is
  adaptive over the faster one by hand, the worst of all workloads but the flip and the controls, and
  `regret_to_static` the same over `static`. `drift_vs_oracle` is adaptive over by hand on the flip.
  `control_overhead` is adaptive over stock, the worse of the two controls: one function, which StreaMon
  leaves to Spark, and four trivial ones. `noise_floor` is the most that stock and "again" are apart.
- Filters evaluated are calls of functions for a row; the optimum is what the best order makes of them.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# Filters on Python functions against stock Spark", ""]
    lines.append(METHOD.format(json=json_name, cores=environment["spark_cores"], rounds=method["rounds"]))
    lines += [page.ran_on(environment), "", *page.summary(judged(result["summary"], TARGETS))]
    lines += ["", "## Times and speedups", "", *page.table(rows(result))]
    lines += ["", "## Predicates", "", *markdown.predicates(result["workloads"])]
    return "\n".join([*lines, ""])
