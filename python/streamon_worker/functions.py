"""Users' functions, each called as Spark's own worker calls its kind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol, cast

import pyarrow as pa
from pyspark.sql.types import DataType
from pyspark.util import PythonEvalType, fail_on_stopiteration
from pyspark.worker import RunnerConf, chain, wrap_kwargs_support
from pyspark.worker_util import pickleSer

from .row_functions import PickledFunction, RowFunction
from .rows import Column, Rows
from .vectorised import ArrowFunction, PandasFunction

Call = Callable[..., Any]


class Function(Protocol):
    """A function of a user's, with the columns that it is called with.

    Attributes:
        vectorised: whether it is called with whole columns, which may be those of several batches.
    """

    vectorised: bool

    def evaluate(self, rows: Any) -> pa.Array:
        """Its results on `Rows`, in the Arrow type that Spark has for the declared one.

        Of a vectorised one the rows may be `Joined` from those for which `sees` is equal.
        """

    def sees(self, rows: Rows) -> Hashable:
        """What a vectorised one sees of the batch besides the rows that are left."""


def read(
    kind: int,
    commands: Sequence[bytes],
    columns: list[Column],
    names: Mapping[str, Column],
    conf: RunnerConf,
) -> Function:
    """A function as it was pickled.

    `kind` is one of Spark's `PythonEvalType`. Of several `commands` each is called with the result of the one
    before. `columns` are its arguments, `names` its keyword arguments.
    """
    bound = cast("Callable[[Call, list[Column], Any], tuple[Call, list[Column]]]", wrap_kwargs_support)
    unpickled = [_unpickled(command) for command in commands]
    call = reduce(chain, [f for f, _ in unpickled])
    declared = unpickled[-1][1]
    if kind == PythonEvalType.SQL_ARROW_BATCHED_UDF:
        return RowFunction(*bound(call, columns, names), declared, conf)
    whole = fail_on_stopiteration(call)
    if kind == PythonEvalType.SQL_BATCHED_UDF:
        return PickledFunction(*bound(whole, columns, names), declared)
    if kind == PythonEvalType.SQL_SCALAR_ARROW_UDF:
        return ArrowFunction(whole, columns, names, declared, conf)
    return PandasFunction(*bound(whole, columns, names), declared, conf)


def _unpickled(command: bytes) -> tuple[Call, DataType]:
    """A function and its declared type. Spark broadcasts a large one."""
    loads = cast("Callable[[bytes], Any]", pickleSer.loads)
    read = loads(command)
    return cast("tuple[Call, DataType]", loads(read.value) if hasattr(read, "value") else read)
