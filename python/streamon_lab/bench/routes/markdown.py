"""The committed table of results, with the method beside it."""

from __future__ import annotations

from collections.abc import Sequence

from streamon_lab.bench import page
from streamon_lab.bench.filters import markdown
from streamon_lab.bench.routes import drawing
from streamon_lab.bench.routes.report import Json, rows
from streamon_lab.bench.routes.summary import TARGETS
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench routes --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`). Stock Spark is the same session with
  `spark.streamon.enabled=false`. All variants of a workload are warmed up and then run round-robin,
  {rounds} rounds, and each round starts with another variant. Garbage is collected between runs. Every run
  of every variant must give the same count and checksum, and each plan must have the operator and the
  algorithm that it should. Otherwise the bench stops.
- Times are medians of **processor time** of Spark's tasks. Query Mesh searches for routes beside the tasks,
  so processor time of the whole JVM stands next to it: the search, garbage collection and compilation are in
  it. A figure of it ends with `_jvm`. The time from the SQL text to the answer is *by the clock*, and a
  figure of it ends with `_clock`.
- "stock, best fixed" is the order that is best for all rows: the fastest in a pilot run of those that the
  model of the filter bench has near the best. "stock, oracle" is a `UNION ALL` with a filter for each kind in
  its best order. It reads each kind from files of its own, so it reads no row twice and classifies none.
  It has more tasks than the others, two for each kind.
- "a-greedy" and "query-mesh" are written in the worst order, and start each run with nothing learned.
  "a-greedy again" is the same as "a-greedy". How far the two are apart is noise.
- `gain_over_a_greedy` is A-Greedy over Query Mesh and `regret_to_oracle` Query Mesh over the oracle, both on
  `three-kinds`. `uniform_ratio` is Query Mesh over A-Greedy on `one-kind`, and `drift_ratio` on `drift`.
  `flights_oracle_gain` is the best fixed order over the oracle. `noise_floor` is the most that A-Greedy and
  A-Greedy again are apart.
- "query-mesh, oracle's routes" has the best route of each kind forced from the first row on, so it learns
  nothing. `given_routes_to_oracle` is this over the oracle.
- "query-mesh, oracle's routes, kinds apart" is the same on the oracle's files, with as many tasks.
  `given_routes_kinds_apart_to_oracle` is this over the oracle: the price of the operator and its tree. On the
  rows as they are it evaluates the same filters on the same rows, in fewer tasks. But rows of different kinds
  follow each other, which a processor presumably predicts and caches less well.
- `classifier_share` is the share of Query Mesh's processor time on `three-kinds` that the tree would take if
  it classified all rows. `classifier_ns_a_row` is the difference of two filters on the same rows, one with a
  tree of two tests on `kind` and one with a single route, both forced. Their first conjunct drops nearly all
  rows on every route, so they differ by the tree alone, with the reading of its column. Each is measured
  twice. `classifier_noise_ns_a_row` is the most that the medians of two equal filters are apart, within one
  session. A difference that is negative, or not above this noise, gives no share: the share is "not measured"
  then.
- Filters evaluated are counted by StreaMon. For stock Spark they are exact by the model, which counts the
  rows that pass every subset of the predicates.
- `join` is an MJoin of four streams on different keys, a streaming query over files with RocksDB and
  changelog checkpointing. Nearly all rows are of one stream, and of three kinds. For all of them together no
  order is better than another. Its filters evaluated are look-ups. Each look-up of those rows has a condition
  that looks through a text of 14,000 characters. By a key alone it costs little, and routes seldom pay.
- All variants of `join` are MJoins without caches. "query-mesh, oracle" is Query Mesh with the best route of
  each kind forced from the first row on. `join_gain` is A-Greedy over Query Mesh. `join_regret_to_oracle` is
  Query Mesh over this oracle. Spark's own joins are in the bench of joins.
"""

ROUTES = """\
What the last run of "query-mesh" ended with, as `streamon_routes()` told it. The measured saving is by the
rows that were profiled since the routes were adopted, without the time of the tree. A few slow rows can
distort it."""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    lines = ["# Query Mesh against A-Greedy and stock Spark", ""]
    lines.append(METHOD.format(json=json_name, cores=environment["spark_cores"], rounds=method["rounds"]))
    lines += [page.ran_on(environment), "", "## What the oracle could win", ""]
    lines += ["By the model, over the best fixed order, before anything adapts:", ""]
    lines += [*page.table(prizes(result)), "", *page.summary(judged(result["summary"], TARGETS))]
    lines += ["", "## Times, and speeds over that of A-Greedy", "", *page.table(rows(result))]
    lines += ["", "## Routes", "", ROUTES, *drawing.drawings(result["workloads"])]
    lines += ["", "## Kinds", "", *page.table(kinds(result["workloads"]))]
    lines += ["", "## Predicates", "", *markdown.predicates(result["workloads"])]
    return "\n".join([*lines, ""])


def prizes(result: Json) -> list[list[str]]:
    """A row for each workload; the heading first. The time of a join's look-ups is not known."""
    table = [["workload", "what it is", "filters evaluated", "their time"]]
    for w in result["workloads"]:
        win = w["oracle_could_win"]
        time = "" if win["predicate_time"] is None else f"{win['predicate_time']:.2f}"
        table.append([w["name"], w["title"], f"{win['filters_evaluated']:.2f}", time])
    return table


def kinds(workloads: Sequence[Json]) -> list[list[str]]:
    """A row for each kind of each workload, and one for all rows; the heading first."""
    table = [["workload", "kind", "rows", "best order"]]
    for w in workloads:
        table.append([w["name"], "all", f"{w['rows']:,}", ", ".join(w["best_fixed_order"])])
        if len(w["kinds"]) > 1:
            table += [["", k["name"], f"{k['rows']:,}", ", ".join(k["order"])] for k in w["kinds"]]
    return table
