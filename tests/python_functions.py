"""Python functions of every kind that adapts, and a frame of every type, for generated tests."""

from __future__ import annotations

import datetime
import decimal
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

KINDS = ["row", "pickled", "pandas", "arrow"]

COLUMNS = {
    "n": "CASE WHEN id % 7 = 0 THEN NULL ELSE CAST(id % 50 AS INT) END",
    "big": "id * 1000003",
    "x": "CASE WHEN id % 11 = 0 THEN NULL WHEN id % 13 = 0 THEN CAST('NaN' AS DOUBLE) ELSE id / 7 END",
    "text": "CASE WHEN id % 9 = 0 THEN NULL ELSE concat('row-', id) END",
    "flag": "CASE WHEN id % 5 = 0 THEN NULL ELSE id % 2 = 0 END",
    "day": "date_add(DATE'2024-02-27', CAST(id % 400 AS INT))",
    "moment": "timestamp_seconds(1700000000 + id * 3600)",
    "price": "CASE WHEN id % 6 = 0 THEN NULL ELSE CAST(id % 1000 AS DECIMAL(12,2)) / 8 END",
    "bytes": "CAST(concat('b', id) AS BINARY)",
    "list": "array(id % 3, NULL, id % 5)",
    "pair": "named_struct('a', CAST(id % 4 AS INT), 'b', concat('p', id % 6))",
    "map": "map('k', id % 8)",
}
SCALARS = ["n", "big", "x", "text", "flag", "day", "moment", "price"]
"""Columns that functions of all kinds take; pandas and Arrow see nested ones in ways of their own."""

ARROW = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "double": pa.float64(),
    "string": pa.string(),
    "date": pa.date32(),
    "decimal(12,2)": pa.decimal128(12, 2),
    "bigint": pa.int64(),
    "float": pa.float32(),
    "binary": pa.binary(),
}


def table(session: SparkSession, rows: int, partitions: int) -> DataFrame:
    """A frame with all columns."""
    columns = [f"{expression} AS `{name}`" for name, expression in COLUMNS.items()]
    return session.range(0, rows, 1, partitions).selectExpr("id", *columns)


def body(seed: int, returns: str, nulls: int) -> Callable[..., Any]:
    """A function of any values that gives the declared type, and None for a share of its arguments."""

    def call(*values: Any) -> Any:
        d = sum(ord(c) * (i + seed) for i, c in enumerate(repr(values))) % 100
        if d < nulls:
            return None
        made: dict[str, Any] = {
            "boolean": d % 3 > 0,
            "int": d,
            "double": float("nan") if d % 10 == 0 else d / 4,
            "string": f"s{d}",
            "date": datetime.date(2024, 1, 1) + datetime.timedelta(days=d),
            "decimal(12,2)": decimal.Decimal(d) / 4,
        }
        return made[returns]

    return call


def made(kind: str, call: Callable[..., Any], returns: str) -> Callable[..., Column]:
    """A function of a kind, which calls the given one for each row."""
    if kind == "pickled":
        return F.udf(call, returns, useArrow=False)  # type: ignore[no-any-return]
    if kind == "row":
        return F.udf(call, returns)  # type: ignore[no-any-return]
    if kind == "pandas":

        def series(*columns: pd.Series) -> pd.Series:
            rows = zip(*[c.tolist() for c in columns], strict=True)
            return pd.Series([call(*row) for row in rows], dtype="object")

        return F.pandas_udf(series, returns)  # type: ignore[no-any-return, call-overload]

    def arrays(*columns: pa.Array) -> pa.Array:
        rows = zip(*[c.to_pylist() for c in columns], strict=True)
        return pa.array([call(*row) for row in rows], kind_of_result)

    kind_of_result = ARROW[returns]
    arrays.__annotations__ = {"columns": pa.Array, "return": pa.Array}
    return F.arrow_udf(arrays, returns)  # type: ignore[no-any-return, attr-defined]


LITERALS = {
    "boolean": ["true", "false"],
    "int": ["50", "7"],
    "double": ["12.5D", "0D"],
    "string": ["'s40'", "'s'"],
    "date": ["DATE'2024-02-20'"],
    "decimal(12,2)": ["CAST(12.25 AS DECIMAL(12,2))", "0"],
}


def condition(draw: random.Random, result: Column, returns: str) -> Column:
    """Something that a filter asks of a result."""
    literal = F.expr(draw.choice(LITERALS[returns]))
    asked = [
        result < literal,
        result >= literal,
        literal < result,
        result == literal,
        result != literal,
        result.isNull(),
        result.isNotNull(),
        ~(result > literal) | result.isNull(),
    ]
    if returns == "boolean":
        asked += [result, ~result, result]
    if returns in ("int", "string"):
        asked.append(result.isin([40, 41, 42, 43] if returns == "int" else ["s3", "s77", "s78"]))
    return draw.choice(asked)


JVM_CONDITIONS = [
    "n > 5",
    "text LIKE '%1%'",
    "id % 3 <> 1",
    "text RLIKE '-[0-9]*[1-6]$'",
    "text LIKE '%o%2%'",
    "text IS NULL OR NOT text RLIKE '9$'",
    "CAST(get_json_object(concat('{\"a\": ', n, '}'), '$.a') AS INT) < 45",
]
"""Without functions. From the fourth on they are dear, and the last may raise."""


@dataclass(frozen=True)
class Drawn:
    """A condition, and what it is in words."""

    condition: Column
    words: str


@dataclass(frozen=True)
class Query:
    """A drawn filter, and what it is in words."""

    frame: DataFrame
    words: str


def _draw_inner(draw: random.Random) -> tuple[Column, str]:
    """What a function returns that another one is called with, and what it is in words."""
    kind, returns = draw.choice(KINDS), draw.choice(["boolean", "int", "double", "string", "date"])
    if kind == "pickled" and returns == "string":
        returns = "double"
    column = draw.choice([c for c in SCALARS if kind != "pickled" or c != "moment"])
    call = body(draw.randint(1, 50), returns, draw.choice([0, 20]))
    return made(kind, call, returns)(column), f"({kind} {returns} of {column})"


def draw_conditions(draw: random.Random) -> list[Drawn]:
    """Two to five predicates of mixed kinds; sometimes conditions of the JVM among them."""
    drawn = []
    for _ in range(draw.randint(2, 5)):
        kind = draw.choice(KINDS)
        returns = draw.choice(list(LITERALS))
        if kind == "pickled" and draw.random() < 0.8:
            returns = draw.choice(["boolean", "int", "double", "date"])
        columns = draw.sample(SCALARS if kind != "row" else list(COLUMNS), draw.randint(1, 3))
        if kind == "pickled" and draw.random() < 0.8:
            columns = [c for c in columns if c != "moment"] or ["n"]
        call = body(draw.randint(1, 50), returns, draw.choice([0, 0, 20]))
        inner = [_draw_inner(draw) for _ in range(draw.choice([0, 0, 0, 1, 2]))]
        arguments = [column for column, _ in inner] + [F.col(c) for c in columns]
        asked = condition(draw, made(kind, call, returns)(*arguments), returns)
        drawn.append(Drawn(asked, f"{kind} {returns} of {', '.join([name for _, name in inner] + columns)}"))
    for jvm in draw.sample(JVM_CONDITIONS, draw.randint(0, 3)):
        drawn.insert(draw.randint(0, len(drawn)), Drawn(F.expr(jvm), jvm))
    return drawn


def ids_of(source: DataFrame, drawn: list[Drawn]) -> Query:
    """The rows that pass all conditions, in the order in which they are written."""
    frame = source
    for each in drawn:
        frame = frame.filter(each.condition)
    return Query(frame.select("id"), "; ".join(each.words for each in drawn))


def draw_query(draw: random.Random, source: DataFrame) -> Query:
    """A filter of `draw_conditions`."""
    return ids_of(source, draw_conditions(draw))
