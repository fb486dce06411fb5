"""Functions that are called for each row."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import LocalDataToArrowConversion
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType
from pyspark.util import fail_on_stopiteration
from pyspark.worker import RunnerConf

from .pickled import PickledResults
from .rows import Column, Rows

Call = Callable[..., Any]


class _CalledForEach:
    """A function that is called for each row."""

    vectorised = False

    def sees(self, _: Rows) -> Hashable:
        """As for a `Function`."""
        return None


class RowFunction(_CalledForEach):
    """A `@udf` with Arrow."""

    def __init__(self, call: Call, columns: list[Column], declared: DataType, conf: RunnerConf) -> None:
        self._columns = columns
        self._type = to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)
        self._convert = LocalDataToArrowConversion._create_converter(
            declared,
            none_on_identity=True,
            int_to_decimal_coercion_enabled=conf.int_to_decimal_coercion_enabled,
        )
        self._safe = conf.safecheck
        threads = conf.arrow_concurrency_level
        self._call_all = fail_on_stopiteration(_for_each(call, len(columns), threads))

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        results = self._call_all(rows.size, *[rows.objects(c) for c in self._columns])
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


class PickledFunction(_CalledForEach):
    """A `@udf` without Arrow."""

    def __init__(self, call: Call, columns: list[Column], declared: DataType) -> None:
        self._columns = columns
        self._results = PickledResults(declared)
        self._call_all = _for_each(call, len(columns), threads=0)

    def evaluate(self, rows: Rows) -> pa.Array:
        """As for a `Function`."""
        columns = [rows.objects(c, replacing=True) for c in self._columns]
        return self._results.read(self._call_all(rows.size, *columns))
