"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.selections.bench import FEW_RULES, MORE_ROUNDS
from streamon_lab.bench.selections.engines import lanes as engines
from streamon_lab.bench.selections.report import Json, rows
from streamon_lab.bench.selections.rules import HOT, SKEWED_COLUMNS
from streamon_lab.bench.selections.summary import TARGETS
from streamon_lab.bench.selections.variants import LEAST_SHARED, MOST_QUERIES, MOST_STOCK
from streamon_lab.bench.selections.workload import BATCHES, MOST_RULES, NAMES
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench selections --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`). The lanes of a workload run in {rounds} rounds, each round
  in another sequence, and a figure is their median. With {few_rules} rules at most, and where the order
  matters, runs are short, and there are {more_rounds} times as many rounds. Spark keeps the compiled code of
  all lanes (`spark.sql.codegen.cache.maxEntries`): by default a query for each of 100 rules would push out
  the rest.
  All lanes are warmed up but the slow ones: arrays and joins of 1,000 rules, shared or not, "match" of
  {most_rules} rules, and engines at the most rules that they run. These run in every other round, and their
  first run is cold, so it has the compiling in it. Every run gives the number of matches of rows and
  rules and the sum of the ids of their rows. Two results that differ stop the bench.
- Rows have an id and twelve columns of whole numbers from 0 to 9,999. In `rules-N` and `rare-N` they are
  equally distributed and independent. There a rule is a conjunction of ranges of three or four columns,
  and each of N rules holds for 0.3% of the rows in `rules-N`, for 0.001% in `rare-N`.
- Processor time ("CPU s") is that of Spark's tasks. Of another engine it is that of its whole process.

### Spark

- Rows are cached in memory. "scan" adds up the columns. Garbage is collected between runs.
- "match" is `streamon_match`, from the SQL text on, so the time to analyse the rules and to build their
  look-ups is in it. "again" is the same once more: how far the two are apart is noise. In "best fixed
  sequence" the sequence of look-ups is forced, which needs no learning (the constructs in a fixed order).
  It is the best one by the rows that are alive before each look-up, exactly, over all sequences, on a
  sample of the rows.
- "array of CASE, filtered" is `filter(array(CASE WHEN ... THEN name END, ...), r -> r IS NOT NULL)`.
  "filtered, no whole-stage code" is the same with `spark.sql.codegen.wholeStage=false`. From 100 rules on
  the code of the whole stage does not compile, and Spark tries it anew in each query.
- "array_remove" has `ELSE ''` and removes these, also with `spark.sql.codegen.hugeMethodLimit=8000`. The
  code of 10 rules is below that limit. That of 100 rules does not compile with either limit.
- "nested loop join" joins the rows with a broadcast table of the bounds of rules. "a query a rule" is a
  `UNION ALL` of counts, "filters of a UNION ALL" one of the rows, and "count_if" has two columns for each
  rule, `count_if(...)` and `sum(id) FILTER (WHERE ...)`. All of these are the forms of stock Spark of
  `speedup_N`.
- A form that is "shared" is the same query with `spark.streamon.match.share=auto`, from {least_shared}
  rules on.
- "join on an index" is an inverted index on each rule's most selective condition in SQL: an equi-join of
  buckets of a hundred values with a broadcast table, and then all conditions.
- Above {most_stock} rules no form of stock Spark is measured, since arrays take minutes or do not compile.
  In `rare-1000` arrays are left out: they take about as long as in `rules-1000`. Above {most_queries}
  there is no form with a branch or a column for each rule. With {most_rules} rules there are a tenth of
  the rows, and only "scan" and "match": the analysis of the rules is most of the time.
- StreaMon is loaded in all lanes. It leaves the conditions of stock Spark's lanes alone, since they are
  cheap.

### Other engines

- Each has {cores} threads and the same rows in its own memory. Times are from the rules to the sums, with
  what it builds of the rules. {installed}
- "polars" collects the ids that match, a list for each rule. "DuckDB" counts in a `UNION ALL` of a query
  for each rule. Other forms that were tried (counts by `FILTER`, lists of matches, joins with the bounds,
  joins on buckets) are slower or no faster.
- "A-Tree" is the crate `a-tree`: an event for each row, and a search. "{inverted}" is a plain program in
  Rust: for each column the rules whose narrowest range is on it, by regions, and the other conditions of
  each candidate in turn. Both count rules and build no list of names, as match does.
- Left out above {most_engine} rules, since they take minutes; the inverted index above {most_inverted}.

### Order, drift and streams

- `skewed`, `swapped` and `drift` have four times the rows, and 100 rules on {skewed_columns} columns that
  hold for values below {hot}. The columns differ in how often they have such a value, from 5% to 98%. The
  first three have it by one draw, so that two of them tell nothing new. In `swapped` the roles are in
  reverse, in `drift` from the middle of each task on, so that as many rows match as before.
- `stream-N` reads half of the rows from CSV files in {batches} micro-batches into a sink that keeps
  nothing, from the SQL text to the end of the query. Of stock Spark the nested loop join is measured, and
  at 100 rules the array of `CASE` without whole-stage code.

### Figures

- `speedup_N` is the fastest form of stock Spark over "match", by the clock, the lesser of `rules-N` and
  `rare-N`. `speedup_array_1000` is that of the filtered array in `rules-1000`, with whole-stage code or
  without. `speedup_stream` is that of streams, `speedup_index_join_N` that of the join on an index, and
  `speedup_ENGINE_N` that of another engine.
- `speedup_shared_array_N`, `speedup_shared_query_N`, `speedup_shared_union_N` and `speedup_shared_count_if_N`
  are the times of "array of CASE, filtered", "a query a rule", "filters of a UNION ALL" and "count_if" over
  those of the same queries shared, the lesser of `rules-N` and `rare-N`.
- `growth_10000` is the time of "match" with 10,000 rules over that with 1,000, the greater of the two;
  `growth_10000_rare` where rules hold rarely.
- `ratio_to_index` is the time of "match" over the least of these three: the best fixed sequence, the join
  on an index, and "scan" and "{inverted}" together. It is the greatest of all `rules-N` and `rare-N`.
- `order_regret` is "match" over its best fixed sequence in `skewed` and `swapped`. `drift_ratio` is
  "match" in `drift` over the mean of the best fixed sequences of `skewed` and `swapped`: an oracle that
  knows each half's order. `drift_to_best_fixed` is over the best fixed sequence of the whole.
- `memory_per_rule_bytes` is the operator's "memory of the sets of rules" by rule, from 10,000 rules on.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    text = METHOD.format(
        json=json_name,
        cores=environment["spark_cores"],
        rounds=method["rounds"],
        installed=_installed(environment["engines"]),
        inverted=engines.INVERTED,
        most_stock=f"{MOST_STOCK:,}",
        most_queries=MOST_QUERIES,
        few_rules=FEW_RULES,
        least_shared=LEAST_SHARED,
        more_rounds=MORE_ROUNDS,
        most_rules=f"{MOST_RULES:,}",
        most_engine=f"{engines.MOST_RULES[engines.POLARS]:,}",
        most_inverted=f"{engines.MOST_RULES[engines.INVERTED]:,}",
        skewed_columns=SKEWED_COLUMNS,
        hot=f"{HOT:,}",
        batches=BATCHES,
    )
    lines = ["# Many rules over the same rows", "", text, page.ran_on(environment), *_left_out(result), ""]
    lines += page.summary(judged(result["summary"], TARGETS))
    return "\n".join([*lines, "", "## Times", "", *page.table(rows(result)), "", *_sequences(result), ""])


def _left_out(result: Json) -> list[str]:
    """The workloads that this run did not measure, as a sentence."""
    measured = {workload["name"] for workload in result["workloads"]}
    missing = [name for name in NAMES if name not in measured]
    return [f"Not measured in this run: {', '.join(missing)}."] if missing else []


def _installed(versions: dict[str, str | None]) -> str:
    """Which engines there are, in one or two sentences."""
    here = ", ".join(f"{name} {version}" for name, version in versions.items() if version is not None)
    missing = ", ".join(name for name, version in versions.items() if version is None)
    return f"Measured: {here}." + (f" Not installed: {missing}." if missing else "")


def _sequences(result: Json) -> list[str]:
    """The look-ups of a row in the best and the worst fixed sequence, where the order matters."""
    table = [["workload", "best fixed sequence", "look-ups a row", "in the worst"]]
    for workload in result["workloads"]:
        found = workload["sequences"]
        if found:
            columns = " ".join(found["best"]["columns"])
            table.append(
                [workload["name"], columns, f"{found['best']['asked']:.2f}", f"{found['worst']['asked']:.2f}"]
            )
    return ["## Look-ups", "", *page.table(table)]
