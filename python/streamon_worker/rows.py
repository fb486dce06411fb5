"""The rows of one batch, as the functions of a filter read them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import ArrowTableToRowsConversion

# Faster than Arrow's own where Spark has it.
_to_pylist: Callable[[pa.Array], list[Any]] = getattr(
    ArrowTableToRowsConversion, "_to_pylist", pa.Array.to_pylist
)
Converter = Callable[[Any], Any]
Column = int | str
"""A column of a batch, by its offset, or one that was added to its rows, by its name."""


class Kept:
    """Which rows are left, by their positions before, ascending."""

    def __init__(self, positions: pa.Array) -> None:
        self.positions = positions
        self._list: list[int] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def list(self) -> list[int]:
        """The positions as a list."""
        if self._list is None:
            self._list = self.positions.to_pylist()
        return self._list


class Rows:
    """The rows of a batch that no predicate has dropped so far.

    A column is converted when a function first reads it, for the rows that are left by then. When it is next
    read, rows that have been dropped since leave it.
    """

    def __init__(
        self, columns: Sequence[pa.Array], converters: Mapping[Column, Converter | None], size: int
    ) -> None:
        """Takes the columns, and by column what makes Spark's Python objects of Arrow's, if anything."""
        self.size = size
        self._converters = converters
        self._dropped: list[Kept] = []
        self._arrays: dict[Column, tuple[pa.Array, int]] = {o: (c, 0) for o, c in enumerate(columns)}
        self._objects: dict[tuple[Column, bool], tuple[list[Any], int]] = {}
        self._columns = columns
        self._whole: dict[Column, Any] = {}

    def keep(self, kept: Kept) -> None:
        """Drops the rows that are not in `kept`."""
        self._dropped.append(kept)
        self.size = len(kept)

    def add(self, name: str, values: pa.Array) -> None:
        """Keeps a further column, of the rows that are left."""
        self._arrays[name] = (values, len(self._dropped))

    def has(self, name: str) -> bool:
        """Whether such a column has been added."""
        return name in self._arrays

    def type(self, name: Column) -> pa.DataType:
        """The type of a column."""
        return self._arrays[name][0].type

    def arrow(self, name: Column) -> pa.Array:
        """A column as Arrow has it: of the batch, by its offset, or one that was added."""
        array, seen = self._arrays[name]
        for kept in self._dropped[seen:]:
            array = array.take(kept.positions)
        self._arrays[name] = (array, len(self._dropped))
        return array

    def objects(self, name: Column, replacing: bool = False) -> list[Any]:
        """A column as the Python objects that a `@udf` is called with.

        With `replacing`, what is no UTF-8 in a text becomes U+FFFD, as where the JVM reads it. Else it
        raises.
        """
        key = name, replacing and _is_text(self.type(name))
        if key not in self._objects:
            objects = self._read(name, key[1])
            convert = self._converters[name]
            if convert is not None:
                objects = [convert(o) for o in objects]
        else:
            objects, seen = self._objects[key]
            for kept in self._dropped[seen:]:
                objects = [objects[i] for i in kept.list]
        self._objects[key] = (objects, len(self._dropped))
        return objects

    def _read(self, name: Column, replacing: bool) -> list[Any]:
        array = self.arrow(name)
        try:
            return _to_pylist(array)
        except UnicodeDecodeError:
            if not replacing:
                raise
            texts = array.cast(pa.large_binary()).to_pylist()
            return [None if t is None else t.decode(errors="replace") for t in texts]

    def series(self, name: Column, convert: Callable[[pa.Array], Any]) -> Any:
        """A column as pandas has it.

        Of some types all rows of the batch are converted: pandas makes another one of them where there are
        NULLs, and a function must not see that rows have been dropped.
        """
        if isinstance(name, str) or not self.changes_with_nulls(name):
            return convert(self.arrow(name))
        if name not in self._whole:
            self._whole[name] = convert(self._columns[name])
        if not self._dropped:
            return self._whole[name].copy()
        return self._whole[name].take(self.positions.to_numpy()).reset_index(drop=True)

    def changes_with_nulls(self, name: Column) -> bool:
        """Whether pandas has another type for a column of the batch where one of its rows is NULL."""
        return isinstance(name, int) and _changes_with_nulls(self.type(name))

    def pandas_type(self, name: Column) -> Hashable:
        """Equal for batches of which pandas has a column in the same type. What is nested may differ."""
        if isinstance(name, str) or not self.changes_with_nulls(name):
            return None
        return self if pa.types.is_nested(self.type(name)) else self._columns[name].null_count > 0

    @property
    def positions(self) -> pa.Array:
        """Of the rows that are left, in the batch."""
        if not self._dropped:
            return _numbers(self.size)
        left = self._dropped[0].positions
        for kept in self._dropped[1:]:
            left = left.take(kept.positions)
        return left

    def trim(self) -> None:
        """Forgets Python objects of rows that have been dropped."""
        for name, replacing in list(self._objects):
            self.objects(name, replacing)
        for name in list(self._whole):
            if pa.types.is_nested(self.type(name)):
                del self._whole[name]

    def at(self, positions: list[int] | None) -> Rows:
        """Some of the rows, or all, in a batch of their own. Of a batch of which none has been dropped."""
        some = Rows(self._columns, self._converters, self.size)
        some._whole = self._whole
        if positions is not None:
            some.keep(Kept(pa.array(positions, pa.int64())))
        return some


@lru_cache(maxsize=2)
def _numbers(size: int) -> pa.Array:
    """Those from 0 on. Most batches are of one size."""
    return pa.array(range(size), pa.int64())


def _changes_with_nulls(kind: pa.DataType) -> bool:
    """Whether pandas has another type for a column of this one with NULLs, or for what is nested in it."""
    return bool(pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_nested(kind))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
