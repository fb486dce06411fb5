"""The ways to run many rules in Spark: StreaMon's, and those that people write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa
from pyspark.sql import SparkSession

from streamon_lab.bench.selections.rows import Data
from streamon_lab.bench.selections.rules import COLUMNS, VALUES
from streamon_lab.bench.selections.sequences import FixedSequence
from streamon_lab.bench.selections.workload import MOST_RULES, RARE, RuleWorkload

MATCH, AGAIN, SCAN = "match", "match again", "scan"
BEST, WORST = "match, best fixed sequence", "match, worst fixed sequence"
FILTER, UNSTAGED = "array of CASE, filtered", "filtered, no whole-stage code"
REMOVE, REMOVE_LIMITED = "array_remove", "array_remove, hugeMethodLimit"
NESTED, UNION = "nested loop join", "a query a rule"
FILTERS, COUNT_IF = "filters of a UNION ALL", "count_if"
STOCK = (FILTER, UNSTAGED, REMOVE, REMOVE_LIMITED, NESTED, UNION, FILTERS, COUNT_IF)
SHARED = {form: f"{form}, shared" for form in (FILTER, UNION, FILTERS, COUNT_IF)}
"""Forms that StreaMon can run by one operator where it is told to, and the names of these lanes."""
SHARE = {"spark.streamon.match.share": "auto"}
"""The setting that tells it to."""
INDEX_JOIN = "join on an index"
"""An inverted index on each rule's most selective condition, in SQL."""

SEQUENCE = "spark.streamon.match.sequence"
"""The internal setting that forces a sequence of look-ups: names of columns."""

ROWS, RULES, BOUNDS = "rows_of_rules", "rules_of_rows", "bounds_of_rules"
"""The views that the queries read."""

MOST_STOCK = 1_000
"""Rules beyond which no form of stock Spark is run."""
MOST_ARRAY_RARE = 100
"""The same of arrays of rules that seldom hold. An array of 1,000 takes minutes, however seldom they do."""
MOST_QUERIES = 100
"""The same of forms that have a branch or a column for each rule."""
LEAST_SHARED = 100
"""Rules from which on the shared forms are run. StreaMon leaves fewer than 16 as they are."""

BUCKET = 100
"""Values that are one key of the index in SQL."""
BUCKETS = VALUES // BUCKET
"""Keys of each column. Those of a column follow those of the column before it."""

MATCHED = f"SELECT id, rules FROM streamon_match(TABLE({ROWS}), TABLE({RULES}))"


@dataclass(frozen=True)
class Variant:
    """A relation, the sums over it by their names, and the settings that it runs with.

    One that is sparse is not warmed up, and runs in every other round only.
    """

    name: str
    relation: str
    sums: Mapping[str, str]
    conf: Mapping[str, str] = field(default_factory=dict)
    sparse: bool = False

    @property
    def query(self) -> str:
        """As SQL."""
        return f"SELECT {_select(self.sums)} FROM ({self.relation})"


# Without a filter: Spark would push it below the arrays, and make them twice.
OF_ARRAYS = {"n": "coalesce(sum(size(rules)), 0)", "ids": "coalesce(sum(size(rules) * id), 0)"}
OF_PAIRS = {"n": "count(*)", "ids": "coalesce(sum(id), 0)"}
OF_COUNTS = {"n": "sum(n)", "ids": "sum(ids)"}
"""Sums of rows with all their rules, of pairs of a row and a rule, and of counts of these."""


def variants(workload: RuleWorkload, best: FixedSequence, worst: FixedSequence) -> list[Variant]:
    """Those that the number of rules allows. Each counts the matches, and adds up the ids of their rows.

    Where the order of look-ups matters, these are the learned order and the fixed ones alone.
    """
    scan = Variant(SCAN, f"SELECT * FROM {ROWS}", {"total": f"sum({' + '.join(COLUMNS)})"})
    if workload.count == MOST_RULES:
        return [scan, match(sparse=True)]
    found = [scan, match(), match(AGAIN), _fixed(BEST, best)]
    if workload.data is not Data.EVEN:
        return [*found, _fixed(WORST, worst)]
    return [*found, *stock(workload)]


def match(name: str = MATCH, *, sparse: bool = False) -> Variant:
    """StreaMon's, with a sequence of look-ups that it learns."""
    return Variant(name, MATCHED, OF_ARRAYS, sparse=sparse)


def stock(workload: RuleWorkload) -> list[Variant]:
    """Those that people write."""
    found = []
    large = workload.count == MOST_STOCK
    if workload.count <= (MOST_ARRAY_RARE if workload.share == RARE else MOST_STOCK):
        removed = Variant(REMOVE, _removed(workload), OF_ARRAYS, sparse=large)
        limit = {"spark.sql.codegen.hugeMethodLimit": "8000"}
        found += [
            Variant(FILTER, _filtered(workload), OF_ARRAYS, sparse=large),
            _unstaged(workload),
            removed,
            replace(removed, name=REMOVE_LIMITED, conf=limit),
        ]
    if workload.count <= MOST_STOCK:
        found += [_nested(workload), Variant(INDEX_JOIN, _index_join(), OF_PAIRS, sparse=large)]
    if workload.count <= MOST_QUERIES:
        found += [
            Variant(UNION, _union(workload, OF_PAIRS), OF_COUNTS),
            Variant(FILTERS, _union(workload, {"id": "id"}), OF_PAIRS),
            Variant(COUNT_IF, _counted(workload), _totals(workload)),
        ]
    if workload.count >= LEAST_SHARED:
        found += [replace(v, name=SHARED[v.name], conf=SHARE) for v in found if v.name in SHARED]
    return found


def streaming(workload: RuleWorkload) -> list[Variant]:
    """Those of a stream: StreaMon's, and of the ways in stock Spark those that are fastest in batches."""
    arrays = [_unstaged(workload)] if workload.count <= MOST_QUERIES else []
    return [match(), match(AGAIN), _nested(workload), *arrays]


def with_rules(spark: SparkSession, workload: RuleWorkload) -> None:
    """Makes the views of the rules: their texts, and their bounds where a variant reads them.

    Tables of Arrow are rows of the plan itself. Lists would come from a Python worker each time.
    """
    rules = workload.rules
    texts = {"rule": [rule.name for rule in rules], "condition": [rule.condition for rule in rules]}
    spark.createDataFrame(pa.table(texts)).createOrReplaceTempView(RULES)
    if workload.count <= MOST_STOCK:
        spark.createDataFrame(_bounds(workload)).createOrReplaceTempView(BOUNDS)


def _bounds(workload: RuleWorkload) -> pa.Table:
    """Of each column, all its values where a rule does not compare it, and the buckets of the narrowest one.

    With nulls in their place the join with 100 rules takes more than twice as long.
    """
    rules = workload.rules
    narrowest = [(COLUMNS.index(r.narrowest) * BUCKETS, r.ranges[r.narrowest]) for r in rules]
    numbers: dict[str, list[int]] = {
        "first_bucket": [first + low // BUCKET for first, (low, _) in narrowest],
        "last_bucket": [first + (end - 1) // BUCKET for first, (_, end) in narrowest],
    }
    for c in COLUMNS:
        ranges = [rule.ranges.get(c, (0, VALUES)) for rule in rules]
        numbers[f"low_{c}"], numbers[f"end_{c}"] = [low for low, _ in ranges], [end for _, end in ranges]
    fields = [pa.field(name, pa.int32(), nullable=False) for name in numbers]
    return pa.table(list(numbers.values()), schema=pa.schema(fields))


def _select(sums: Mapping[str, str]) -> str:
    return ", ".join(f"{text} AS {name}" for name, text in sums.items())


def _fixed(name: str, sequence: FixedSequence) -> Variant:
    return Variant(name, MATCHED, OF_ARRAYS, {SEQUENCE: ",".join(sequence.columns)})


def _filtered(workload: RuleWorkload) -> str:
    cases = _list(workload, lambda name, condition: f"CASE WHEN {condition} THEN '{name}' END")
    return f"SELECT id, filter(array({cases}), r -> r IS NOT NULL) AS rules FROM {ROWS}"


def _unstaged(workload: RuleWorkload) -> Variant:
    conf = {"spark.sql.codegen.wholeStage": "false"}
    return Variant(UNSTAGED, _filtered(workload), OF_ARRAYS, conf, sparse=workload.count == MOST_STOCK)


def _removed(workload: RuleWorkload) -> str:
    cases = _list(workload, lambda name, condition: f"CASE WHEN {condition} THEN '{name}' ELSE '' END")
    return f"SELECT id, array_remove(array({cases}), '') AS rules FROM {ROWS}"


def _holds() -> str:
    return " AND ".join(f"{c} >= low_{c} AND {c} < end_{c}" for c in COLUMNS)


def _nested(workload: RuleWorkload) -> Variant:
    joined = f"SELECT /*+ BROADCAST({BOUNDS}) */ id FROM {ROWS} JOIN {BOUNDS} ON {_holds()}"
    return Variant(NESTED, joined, OF_PAIRS, sparse=workload.count == MOST_STOCK)


def _index_join() -> str:
    asked = ", ".join(f"{c} DIV {BUCKET} + {i * BUCKETS}" for i, c in enumerate(COLUMNS))
    rows = f"SELECT *, explode(array({asked})) AS asked FROM {ROWS}"
    rules = f"SELECT *, explode(sequence(first_bucket, last_bucket)) AS bucket FROM {BOUNDS}"
    return f"SELECT /*+ BROADCAST(b) */ id FROM ({rows}) JOIN ({rules}) b ON asked = bucket AND {_holds()}"


def _union(workload: RuleWorkload, columns: Mapping[str, str]) -> str:
    return " UNION ALL ".join(
        f"SELECT {_select(columns)} FROM {ROWS} WHERE {rule.condition}" for rule in workload.rules
    )


def _counted(workload: RuleWorkload) -> str:
    columns = {}
    for rule in workload.rules:
        columns[f"n_{rule.name}"] = f"count_if({rule.condition})"
        columns[f"ids_{rule.name}"] = f"coalesce(sum(id) FILTER (WHERE {rule.condition}), 0)"
    return f"SELECT {_select(columns)} FROM {ROWS}"


def _totals(workload: RuleWorkload) -> dict[str, str]:
    """Of the one row of counts."""
    return {of: " + ".join(f"{of}_{rule.name}" for rule in workload.rules) for of in ("n", "ids")}


def _list(workload: RuleWorkload, item: Callable[[str, str], str]) -> str:
    return ", ".join(item(rule.name, rule.condition) for rule in workload.rules)
