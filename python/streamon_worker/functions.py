"""Calls users' functions on the rows of a batch, each kind as Spark's own worker does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from typing import Any, Protocol, cast

import pyarrow as pa
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql.conversion import (
    ArrowBatchTransformer,
    LocalDataToArrowConversion,
    PandasToArrowConversion,
)
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, StructField, StructType
from pyspark.util import PythonEvalType, fail_on_stopiteration
from pyspark.worker import (
    RunnerConf,
    chain,
    verify_result_row_count,
    verify_scalar_result,
    wrap_kwargs_support,
)
from pyspark.worker_util import pickleSer

from .pickled import PickledResults
from .rows import Rows

Call = Callable[..., Any]


class Function(Protocol):
    """A function of a user's, with the columns that it is called with."""

    def evaluate(self, rows: Rows) -> pa.Array:
        """Its results on the rows, in the Arrow type that Spark has for the declared one."""


def read(
    kind: int, commands: Sequence[bytes], offsets: list[int], names: dict[str, int], conf: RunnerConf
) -> Function:
    """A function as it was pickled.

    `kind` is one of Spark's `PythonEvalType`. Of several `commands` each is called with the result of the one
    before. `offsets` are the columns of its arguments, `names` those of its keyword arguments.
    """
    bound = cast("Callable[[Call, list[int], dict[str, int]], tuple[Call, list[int]]]", wrap_kwargs_support)
    unpickled = [_unpickled(command) for command in commands]
    call = reduce(chain, [f for f, _ in unpickled])
    declared = unpickled[-1][1]
    if kind == PythonEvalType.SQL_ARROW_BATCHED_UDF:
        return RowFunction(*bound(call, offsets, names), declared, conf)
    whole = fail_on_stopiteration(call)
    if kind == PythonEvalType.SQL_BATCHED_UDF:
        return PickledFunction(*bound(whole, offsets, names), declared)
    if kind == PythonEvalType.SQL_SCALAR_ARROW_UDF:
        return ArrowFunction(whole, offsets, names, declared, conf)
    return PandasFunction(*bound(whole, offsets, names), declared, conf)


def _unpickled(command: bytes) -> tuple[Call, DataType]:
    """A function and its declared type. Spark broadcasts a large one."""
    loads = cast("Callable[[bytes], Any]", pickleSer.loads)
    read = loads(command)
    return cast("tuple[Call, DataType]", loads(read.value) if hasattr(read, "value") else read)


class RowFunction:
    """A `@udf` with Arrow, called for each row."""

    def __init__(self, call: Call, offsets: list[int], declared: DataType, conf: RunnerConf) -> None:
        self._offsets = offsets
        self._type = to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)
        self._convert = LocalDataToArrowConversion._create_converter(
            declared,
            none_on_identity=True,
            int_to_decimal_coercion_enabled=conf.int_to_decimal_coercion_enabled,
        )
        self._safe = conf.safecheck
        threads = conf.arrow_concurrency_level
        self._call_all = fail_on_stopiteration(_for_each(call, len(offsets), threads))

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        results = self._call_all(rows.size, *[rows.objects(o) for o in self._offsets])
        if self._convert is not None:
            results = [self._convert(r) for r in results]
        try:
            return pa.array(results, type=self._type)
        except pa.lib.ArrowInvalid:
            return pa.array(results).cast(target_type=self._type, safe=self._safe)


def _for_each(call: Call, arguments: int, threads: int) -> Callable[..., list[Any]]:
    """The function on each row of some columns. The commonest numbers of arguments need no tuple."""
    if threads > 0:

        def side_by_side(size: int, *columns: list[Any]) -> list[Any]:
            with ThreadPoolExecutor(max_workers=threads) as pool:
                return list(pool.map(call, *columns)) if columns else [call() for _ in range(size)]

        return side_by_side
    if arguments == 0:
        return lambda size: [call() for _ in range(size)]
    if arguments == 1:
        return lambda _, column: [call(a) for a in column]
    if arguments == 2:
        return lambda _, first, second: [call(a, b) for a, b in zip(first, second, strict=True)]
    return lambda _, *columns: [call(*row) for row in zip(*columns, strict=True)]


class PickledFunction:
    """A `@udf` without Arrow, called for each row."""

    def __init__(self, call: Call, offsets: list[int], declared: DataType) -> None:
        self._offsets = offsets
        self._results = PickledResults(declared)
        self._call_all = _for_each(call, len(offsets), threads=0)

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        columns = [rows.objects(o, replacing=True) for o in self._offsets]
        return self._results.read(self._call_all(rows.size, *columns))


class ArrowFunction:
    """An `@arrow_udf`, called with whole arrays."""

    def __init__(
        self, call: Call, offsets: list[int], names: dict[str, int], declared: DataType, conf: RunnerConf
    ) -> None:
        self._call, self._offsets, self._names = call, offsets, names
        kind = to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)
        self._schema = pa.schema([("_0", kind)])

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        arguments = [rows.arrow(o) for o in self._offsets]
        named = {name: rows.arrow(o) for name, o in self._names.items()}
        batch = pa.RecordBatch.from_arrays([self._call(*arguments, **named)], ["_0"])
        batch = ArrowBatchTransformer.enforce_schema(batch, self._schema)
        verify_scalar_result(batch, rows.size)
        return batch.column(0)


class PandasFunction:
    """A `@pandas_udf`, called with whole series."""

    def __init__(self, call: Call, offsets: list[int], declared: DataType, conf: RunnerConf) -> None:
        self._call, self._offsets, self._conf = call, offsets, conf
        self._schema = StructType([StructField("_0", declared)])

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        import pandas as pd

        declared = self._schema[0].dataType
        result = self._call(*self._series(rows))
        frames = isinstance(declared, StructType)
        if not hasattr(result, "__len__"):
            expected = "pandas.DataFrame" if frames else "pandas.Series"
            raise PySparkTypeError(
                errorClass="UDF_RETURN_TYPE",
                messageParameters={"expected": expected, "actual": type(result).__name__},
            )
        verify_result_row_count(len(result), rows.size)
        if frames and not isinstance(result, pd.DataFrame):
            raise PySparkValueError(
                "Invalid return type. Please make sure that the UDF returns a pandas.DataFrame when the "
                "specified return type is StructType."
            )
        return PandasToArrowConversion.convert(
            [result],
            self._schema,
            timezone=self._conf.timezone,
            safecheck=self._conf.safecheck,
            arrow_cast=True,
            prefers_large_types=self._conf.use_large_var_types,
            assign_cols_by_name=self._conf.assign_cols_by_name,
            int_to_decimal_coercion_enabled=self._conf.int_to_decimal_coercion_enabled,
        ).column(0)

    def _series(self, rows: Rows) -> list[Any]:
        return [rows.series(offset, partial(self._convert, f"_{offset}")) for offset in self._offsets]

    def _convert(self, name: str, column: pa.Array) -> Any:
        return ArrowBatchTransformer.to_pandas(
            pa.RecordBatch.from_arrays([column], [name]),
            timezone=cast("str", self._conf.timezone),
            struct_in_pandas="dict",
            ndarray_as_list=False,
            prefer_int_ext_dtype=self._conf.prefer_int_ext_dtype,
            df_for_struct=True,
        )[0]
