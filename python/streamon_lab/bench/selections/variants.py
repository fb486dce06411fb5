"""The ways to run many rules: StreaMon's, and those that people write in Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from streamon_lab.bench.selections.rules import COLUMNS
from streamon_lab.bench.selections.workload import RuleWorkload

MATCH, AGAIN, SCAN = "match", "match again", "scan"
FILTER, REMOVE, REMOVE_COMPILED = "array of CASE, filtered", "array_remove", "array_remove, compiled"
NESTED, UNION = "nested loop join", "a query a rule"
STOCK = (FILTER, REMOVE, REMOVE_COMPILED, NESTED, UNION)

ROWS, RULES, BOUNDS = "rows_of_rules", "rules_of_rows", "bounds_of_rules"
"""The views that the queries read."""

MOST_ARRAY = 1_000
MOST_QUERIES = 100
"""Rules beyond which a variant is left out: it takes minutes, or does not compile."""


@dataclass(frozen=True)
class Variant:
    """A query, the settings that it runs with, and whether it runs in every other round only."""

    name: str
    query: str
    conf: Mapping[str, str] = field(default_factory=dict)
    sparse: bool = False


def variants(workload: RuleWorkload) -> list[Variant]:
    """Those that the number of rules allows. Each counts the matches, and adds up the ids of their rows."""
    large = workload.count >= 1_000
    found = [
        Variant(SCAN, f"SELECT sum({' + '.join(COLUMNS)}) FROM {ROWS}"),
        Variant(MATCH, _of_arrays(MATCHED)),
        Variant(AGAIN, _of_arrays(MATCHED)),
    ]
    if workload.count <= MOST_ARRAY:
        removed = _of_arrays(_removed(workload))
        found += [
            Variant(FILTER, _of_arrays(_filtered(workload)), sparse=large),
            Variant(REMOVE, removed, sparse=large),
            Variant(REMOVE_COMPILED, removed, {"spark.sql.codegen.hugeMethodLimit": "8000"}, sparse=large),
            Variant(NESTED, _nested_loop(), sparse=large),
        ]
    if workload.count <= MOST_QUERIES:
        found.append(Variant(UNION, _union(workload)))
    return found


def prepare(spark: SparkSession, workload: RuleWorkload) -> None:
    """Makes the views that the queries read, and caches the rows."""
    if not spark.catalog.tableExists(ROWS) or spark.table(ROWS).count() != workload.rows:
        columns = [f"CAST(pmod(xxhash64(id, {i}), 10000) AS INT) AS {c}" for i, c in enumerate(COLUMNS)]
        rows = spark.range(workload.rows).selectExpr("id", *columns).cache()
        rows.count()
        rows.createOrReplaceTempView(ROWS)
    texts = [(rule.name, rule.condition) for rule in workload.rules]
    spark.createDataFrame(texts, "rule string, condition string").createOrReplaceTempView(RULES)
    bounds = [
        tuple(bound for c in COLUMNS for bound in rule.ranges.get(c, (None, None))) for rule in workload.rules
    ]
    schema = ", ".join(f"low_{c} int, end_{c} int" for c in COLUMNS)
    spark.createDataFrame(bounds, schema).createOrReplaceTempView(BOUNDS)


MATCHED = f"SELECT id, rules FROM streamon_match(TABLE({ROWS}), TABLE({RULES}))"


def _of_arrays(relation: str) -> str:
    # Without a filter: Spark would push it below the arrays, and make them twice.
    return f"SELECT sum(size(rules)) n, sum(size(rules) * id) ids FROM ({relation})"


def _filtered(workload: RuleWorkload) -> str:
    cases = _list(workload, lambda name, condition: f"CASE WHEN {condition} THEN '{name}' END")
    return f"SELECT id, filter(array({cases}), r -> r IS NOT NULL) AS rules FROM {ROWS}"


def _removed(workload: RuleWorkload) -> str:
    cases = _list(workload, lambda name, condition: f"CASE WHEN {condition} THEN '{name}' ELSE '' END")
    return f"SELECT id, array_remove(array({cases}), '') AS rules FROM {ROWS}"


def _nested_loop() -> str:
    conditions = " AND ".join(f"(low_{c} IS NULL OR {c} >= low_{c} AND {c} < end_{c})" for c in COLUMNS)
    return (
        f"SELECT /*+ BROADCAST({BOUNDS}) */ count(*) n, sum(id) ids FROM {ROWS} JOIN {BOUNDS} ON {conditions}"
    )


def _union(workload: RuleWorkload) -> str:
    queries = " UNION ALL ".join(
        f"SELECT count(*) n, sum(id) ids FROM {ROWS} WHERE {rule.condition}" for rule in workload.rules
    )
    return f"SELECT sum(n) n, sum(ids) ids FROM ({queries})"


def _list(workload: RuleWorkload, item: Callable[[str, str], str]) -> str:
    return ", ".join(item(rule.name, rule.condition) for rule in workload.rules)
