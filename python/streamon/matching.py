"""`match`: many rules over the rows of one frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from pyspark.sql import DataFrame, SparkSession

from streamon.arguments import wrong
from streamon.errors import ArgumentError
from streamon.hint_arguments import require_frame
from streamon.table_functions import select

Output = Literal["arrays", "exploded"]
"""One row with all rules that hold, or a row for each of them."""


def match(rows: DataFrame, rules: Mapping[str, str] | DataFrame, *, output: Output = "arrays") -> DataFrame:
    """The rows for which some rule holds, with the names of those rules.

    All rules are evaluated together, with one look-up for each column that they compare.

    >>> rules = {"late_jfk": "origin = 'JFK' AND dep_delay > 60", "short_hop": "distance < 200"}
    >>> alerts = streamon.match(flights, rules)  # doctest: +SKIP

    Args:
        rows: a frame, or a stream.
        rules: conditions by the names of the rules, or a frame with the text columns `rule` and `condition`.
            It is read when the call is analyzed: by this call, and over Spark Connect by each action. Over a
            stream it is read again in each micro-batch, and `streamon.rules` changes the rules. A condition
            is a boolean expression of SQL on the columns of one row. It is deterministic, and has no
            aggregate, window function, subquery, SQL function or Python function.
        output: `arrays`: each row comes once, with a column `rules`, an array of names in ascending order.
            `exploded`: a row comes once for each rule that holds, with its name in a column `rule`.

    Returns:
        The columns of the rows, and one more. It works over Spark Connect too.

    Raises:
        ArgumentError: an argument has another type, or another value.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
        pyspark.errors.AnalysisException: there is no rule, two rules have one name, a condition does not
            parse or names an unknown column, or it has a part that is not allowed. The message names the
            rule. Over a stream with a table of rules, the first micro-batch raises it for a rule.
    """
    frame = require_frame("match", rows)
    if output not in ("arrays", "exploded"):
        raise ArgumentError(f"streamon.match accepts output='arrays' or output='exploded', not {output!r}.")
    spark = frame.sparkSession
    return select(
        spark,
        "streamon_match(TABLE({rows}), TABLE({rules}), :output)",
        {"output": output},
        rows=frame,
        rules=_table(spark, rules),
    )


def _table(spark: SparkSession, rules: Mapping[str, str] | DataFrame) -> DataFrame:
    """The rules as a frame."""
    if isinstance(rules, DataFrame):
        return rules
    if not isinstance(rules, Mapping):
        raise wrong("streamon.match", "a dict of conditions by name, or a DataFrame, as its rules", rules)
    for rule, condition in rules.items():
        if not isinstance(rule, str):
            raise wrong("streamon.match", "names of rules as text", rule)
        if not isinstance(condition, str):
            raise wrong("streamon.match", f"the condition of the rule {rule!r} as text", condition)
    # A plan that has the rules in it, so that micro-batches need not ask for them again.
    text = "SELECT explode(from_json(:rules, 'map<string, string>')) AS (rule, condition)"
    return spark.sql(text, {"rules": json.dumps(dict(rules))})
