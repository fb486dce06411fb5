"""The committed table of results, with the method beside it."""

from __future__ import annotations

from streamon_lab.bench import page
from streamon_lab.bench.selections.report import Json, rows
from streamon_lab.bench.selections.summary import TARGETS
from streamon_lab.bench.selections.variants import MOST_ARRAY, MOST_QUERIES
from streamon_lab.bench.targets import judged

METHOD = """\
Written by `streamon-lab bench selections --json FILE`; the same numbers for machines are in `{json}`.

- One run, one Spark session (`local[{cores}]`). Rows are cached in memory and have twelve columns of whole
  numbers from 0 to 9,999, equally distributed and independent. All variants of a workload are warmed up and
  then run round-robin, {rounds} rounds, their median; those of stock Spark with 1,000 rules run in every
  other round. Garbage is collected between runs. Every run counts the matches of rules and rows, and adds
  up the ids of the rows. Two results that differ stop the bench.
- A rule is a conjunction of ranges of three or four columns. In `rules-N` each of N rules holds for 0.3% of
  the rows, in `rare-N` for 0.001%.
- "match" is `streamon_match`, from the SQL text on, so the time to analyse the rules and to build their
  look-ups is in it. "again" is the same once more: how far the two are apart is noise. "scan" adds up the
  columns.
- "array of CASE, filtered" is `filter(array(CASE WHEN ... THEN name END, ...), r -> r IS NOT NULL)`.
  "array_remove" has `ELSE ''` and removes these; "compiled" is the same with
  `spark.sql.codegen.hugeMethodLimit=8000`. "nested loop join" joins the rows with a broadcast table of the
  bounds of rules. "a query a rule" is a `UNION ALL` of counts. Above {most_array} rules none of these is
  measured, above {most_queries} there is no query a rule.
- `speedup_N` is the fastest of these over "match", by the clock, the lesser of `rules-N` and `rare-N`.
  `speedup_array_1000` is the same of the filtered array alone. `growth_10000` is the time of "match" with
  10,000 rules over that with 1,000, the greater of the two; `growth_10000_rare` where rules hold rarely.
- Not measured here: streams, other engines, and the order of look-ups.
"""


def as_markdown(result: Json, json_name: str) -> str:
    """The page of one result."""
    environment, method = result["environment"], result["method"]
    text = METHOD.format(
        json=json_name,
        cores=environment["spark_cores"],
        rounds=method["rounds"],
        most_array=f"{MOST_ARRAY:,}",
        most_queries=MOST_QUERIES,
    )
    lines = ["# Many rules over the same rows", "", text, page.ran_on(environment), ""]
    lines += page.summary(judged(result["summary"], TARGETS))
    return "\n".join([*lines, "", "## Times", "", *page.table(rows(result)), ""])
