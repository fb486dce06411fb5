"""What Spark makes of results that it pickles and reads on the JVM (`EvaluatePython.makeFromJava`)."""

from __future__ import annotations

import datetime
import decimal
import io
import pickle
from collections.abc import Callable
from typing import Any, cast

import pyarrow as pa
from pyspark.serializers import CPickleSerializer
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import BooleanType, DataType, DateType, DoubleType, FloatType

_LONG = range(-(2**63), 2**63)


class PickledResults:
    """Results of one declared type: boolean, whole or floating-point numbers, or dates."""

    def __init__(self, declared: DataType) -> None:
        self._to_internal = declared.toInternal if declared.needConversion() else None
        self._type = to_arrow_type(declared)
        self._is: type
        if isinstance(declared, BooleanType):
            self._is, self._read_as = bool, pa.bool_()
        elif isinstance(declared, FloatType | DoubleType):
            self._is, self._read_as = float, pa.float64()
        else:
            self._is, self._read_as = int, pa.int32() if isinstance(declared, DateType) else pa.int64()

    def read(self, results: list[Any]) -> pa.Array:
        """An array of the declared type. What is of another type is NULL; too large whole numbers wrap."""
        if self._to_internal is not None:
            results = [self._to_internal(r) for r in results]
        if not {type(r) for r in results} <= {self._is, type(None)}:
            results = [self._unpickled(r) for r in results]
        try:
            read = pa.array(results, self._read_as)
        except OverflowError:
            read = pa.array([r if r is None or r in _LONG else None for r in results], self._read_as)
        return read.cast(self._type, safe=False)

    def _unpickled(self, result: Any) -> Any:
        kind = type(result)
        if kind is self._is:
            return result
        if kind not in _PLAIN:
            pickled = _dumps(result)
            try:
                _AsJvm(io.BytesIO(pickled)).load()
            except Exception as error:
                # Spark fails too.
                raise TypeError(
                    f"A Python function returned {kind.__module__}.{kind.__name__}, which the JVM cannot "
                    f"read: make it a {self._is.__name__}"
                ) from error
        return None


_dumps = cast("Callable[[Any], bytes]", CPickleSerializer().dumps)

_PLAIN = {bool, int, float, str, bytes, decimal.Decimal, datetime.date, datetime.timedelta}
"""Types that the JVM reads, whatever the value."""


class _Unknown:
    """What the JVM has for a class that it does not know: it is made of nothing, and has names and values."""

    def __new__(cls, *arguments: Any) -> Any:
        if arguments:
            raise TypeError("arguments for a class that is not known")
        return super().__new__(cls)

    def __setitem__(self, name: Any, value: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass


class _AsJvm(pickle.Unpickler):
    """Reads what the unpickler of the JVM does, and fails where that does."""

    def find_class(self, module: str, name: str) -> Any:
        known = module.partition(".")[0] in _KNOWN and name != "timezone"
        if known or (module, name) == ("collections", "OrderedDict"):
            return super().find_class(module, name)
        return type(name, (_Unknown,), {})


_KNOWN = ("builtins", "_codecs", "array", "datetime", "decimal", "pytz", "dateutil")
"""Packages whose classes the JVM has a counterpart of."""
