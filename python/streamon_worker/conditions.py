"""What a filter asks of the results of a function. All of it gives what Spark's own expressions give."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

Condition = Callable[[pa.Array], pa.Array]

_EPOCH = datetime.date(1970, 1, 1)
_COMPARE = {"=": pc.equal, "<": pc.less, "<=": pc.less_equal, ">": pc.greater, ">=": pc.greater_equal}


def condition(tree: dict[str, Any]) -> Condition:
    """A condition from its tree: of an array of results, an array of booleans with nulls.

    Nodes are `result`, `null`, `not`, `and`, `or` and the comparisons with a literal, which is on the right.
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
    return _comparison(op, tree["literal"], tree["type"])


def _comparison(op: str, literal: Any, kind: str) -> Condition:
    compare = _COMPARE[op]
    value = _value(literal, kind)
    if kind != "fractional" or op not in (">", ">="):
        return lambda results: compare(results, pa.scalar(value, results.type))
    # To Spark NaN is greater than any number.
    return lambda results: pc.or_kleene(compare(results, pa.scalar(value, results.type)), pc.is_nan(results))


def _value(literal: Any, kind: str) -> Any:
    if kind == "date":
        return _EPOCH + datetime.timedelta(days=literal)
    if kind == "decimal":
        return decimal.Decimal(literal)
    return literal
