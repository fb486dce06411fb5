"""Functions that are called with whole columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, cast

import pyarrow as pa
from pyspark.errors import PySparkTypeError, PySparkValueError
from pyspark.sql.conversion import ArrowBatchTransformer, PandasToArrowConversion
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, StructField, StructType
from pyspark.worker import RunnerConf, verify_result_row_count, verify_scalar_result

from .joined import Joined
from .rows import Column, Rows

Call = Callable[..., Any]


class ArrowFunction:
    """An `@arrow_udf`, called with whole arrays."""

    vectorised = True

    def __init__(
        self,
        call: Call,
        columns: list[Column],
        names: Mapping[str, Column],
        declared: DataType,
        conf: RunnerConf,
    ) -> None:
        self._call, self._columns, self._names = call, columns, names
        kind = to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)
        self._schema = pa.schema([("_0", kind)])

    def evaluate(self, rows: Rows | Joined) -> pa.Array:
        """As for a `Function`."""
        arguments = [rows.arrow(c) for c in self._columns]
        named = {name: rows.arrow(c) for name, c in self._names.items()}
        batch = pa.RecordBatch.from_arrays([self._call(*arguments, **named)], ["_0"])
        batch = ArrowBatchTransformer.enforce_schema(batch, self._schema)
        verify_scalar_result(batch, rows.size)
        return batch.column(0)

    def sees(self, _: Rows) -> Hashable:
        """As for a `Function`."""
        return None


class PandasFunction:
    """A `@pandas_udf`, called with whole series."""

    vectorised = True

    def __init__(self, call: Call, columns: list[Column], declared: DataType, conf: RunnerConf) -> None:
        self._call, self._columns, self._conf = call, columns, conf
        self._schema = StructType([StructField("_0", declared)])

    def evaluate(self, rows: Rows | Joined) -> pa.Array:
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

    def sees(self, rows: Rows) -> Hashable:
        """As for a `Function`: types that depend on NULLs of the batch."""
        return tuple(rows.pandas_type(c) for c in self._columns)

    def _series(self, rows: Rows | Joined) -> list[Any]:
        return [rows.series(c, partial(self._convert, f"_{c}")) for c in self._columns]

    def _convert(self, name: str, column: pa.Array) -> Any:
        return ArrowBatchTransformer.to_pandas(
            pa.RecordBatch.from_arrays([column], [name]),
            timezone=cast("str", self._conf.timezone),
            struct_in_pandas="dict",
            ndarray_as_list=False,
            prefer_int_ext_dtype=self._conf.prefer_int_ext_dtype,
            df_for_struct=True,
        )[0]
