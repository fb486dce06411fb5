"""Kinds of Python functions, and how functions of a workload are registered as one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

Call = Callable[..., Any]

TRANSFER = "transfer"
"""The function that does nothing: what it takes is the way to a worker and back."""


class Kind(Enum):
    """How Spark calls a function."""

    ROWS = "@udf over Arrow"
    PICKLED = "@udf, pickled"
    ARRAYS = "@arrow_udf"
    SERIES = "@pandas_udf"


@dataclass(frozen=True)
class Function:
    """A function of a user's, by its name in SQL. One that is not vectorised is called for each row."""

    name: str
    call: Call
    returns: str = "boolean"
    vectorised: bool = False

    def register(self, spark: SparkSession, kind: Kind) -> None:
        """Makes it known to SQL as a function of a kind, in place of the one that had its name."""
        spark.udf.register(self.name, _declared(self, kind))


def _declared(function: Function, kind: Kind) -> Any:
    call, returns = function.call, function.returns
    if kind is Kind.ROWS:
        return F.udf(call, returns, useArrow=True)
    if kind is Kind.PICKLED:
        return F.udf(call, returns, useArrow=False)
    if kind is Kind.SERIES:
        return F.pandas_udf(call, returns)  # type: ignore[attr-defined]
    arrays = call if function.vectorised else _for_each(call, returns)
    return F.arrow_udf(arrays, returns)  # type: ignore[attr-defined]


def _for_each(call: Call, returns: str) -> Call:
    """A function of arrays that calls one of values."""
    type_ = {"boolean": pa.bool_(), "double": pa.float64()}[returns]

    def arrays(*columns: pa.Array) -> pa.Array:
        rows = zip(*[c.to_pylist() for c in columns], strict=True)
        return pa.array([call(*row) for row in rows], type_)

    return arrays


def transfer(kind: Kind) -> Function:
    """`TRANSFER` of a kind."""

    def row(*_: Any) -> bool:
        return True

    def series(*columns: pd.Series) -> pd.Series:
        return pd.Series(np.ones(len(columns[0]), dtype=bool))

    def arrays(*columns: pa.Array) -> pa.Array:
        return pa.array(np.ones(len(columns[0]), dtype=bool))

    call = cast("dict[Kind, Call]", {Kind.SERIES: series, Kind.ARRAYS: arrays}).get(kind, row)
    return Function(TRANSFER, call, vectorised=call is not row)
