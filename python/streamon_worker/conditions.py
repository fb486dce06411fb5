"""What a filter asks of the results of a function. All of it gives what Spark's own expressions give."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

Condition = Callable[[pa.Array], pa.Array]

_COMPARE = {"=": pc.equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}


def condition(tree: dict[str, Any]) -> Condition:
    """A condition from its tree: of an array of results, an array of booleans with nulls.

    Nodes are `result`, `null`, `not`, `and`, `or`, `in` and the comparisons with a literal, which is on the
    right.
    """
    op = tree["op"]
    if op == "result":
        return lambda results: results
    if op == "null":
        return lambda results: pc.is_null(results)
    if op == "not":
        inner = condition(tree["of"])
        return lambda results: pc.invert(inner(results))
    if op in ("and", "or"):
        left, right = condition(tree["left"]), condition(tree["right"])
        both = pc.and_kleene if op == "and" else pc.or_kleene
        return lambda results: both(left(results), right(results))
    if op == "in":
        return _membership([_value(literal, tree["type"]) for literal in tree["literals"]])
    return _comparison(op, tree["literal"], tree["type"])


def _membership(values: list[Any]) -> Condition:
    def is_in(results: pa.Array) -> pa.Array:
        found = pc.is_in(results, pa.array(values, results.type))
        return pc.if_else(pc.is_valid(results), found, pa.scalar(None, pa.bool_()))

    return is_in


def _comparison(op: str, literal: Any, kind: str) -> Condition:
    compare = _COMPARE[op]
    value = _value(literal, kind)
    if kind == "date":
        # Years that Python does not have are dates to Spark.
        return lambda results: compare(results, pa.scalar(literal, pa.int32()).cast(results.type))
    if kind != "fractional" or op not in (">", ">="):
        return lambda results: compare(results, pa.scalar(value, results.type))
    # To Spark NaN is greater than any number.
    return lambda results: pc.or_kleene(compare(results, pa.scalar(value, results.type)), pc.is_nan(results))


def _value(literal: Any, kind: str) -> Any:
    if kind == "decimal":
        return decimal.Decimal(literal)
    return literal
