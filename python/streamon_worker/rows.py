"""The rows of one batch, as the functions of a filter read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.conversion import ArrowTableToRowsConversion

# Faster than Arrow's own where Spark has it.
_to_pylist: Callable[[pa.Array], list[Any]] = getattr(
    ArrowTableToRowsConversion, "_to_pylist", pa.Array.to_pylist
)
Converter = Callable[[Any], Any]


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
        self, columns: Sequence[pa.Array], converters: Sequence[Converter | None], size: int
    ) -> None:
        """Takes the columns, and by column what makes Spark's Python objects of Arrow's, if anything."""
        self.size = size
        self._converters = converters
        self._dropped: list[Kept] = []
        self._arrays: dict[int | str, tuple[pa.Array, int]] = {o: (c, 0) for o, c in enumerate(columns)}
        self._objects: dict[tuple[int, bool], tuple[list[Any], int]] = {}
        self._columns = columns
        self._whole: dict[int, Any] = {}

    def keep(self, kept: Kept) -> None:
        """Drops the rows that are not in `kept`."""
        self._dropped.append(kept)
        self.size = len(kept)

    def add(self, name: str, values: pa.Array) -> None:
        """Keeps a further column, of the rows that are left."""
        self._arrays[name] = (values, len(self._dropped))

    def arrow(self, name: int | str) -> pa.Array:
        """A column as Arrow has it: of the batch, by its offset, or one that was added."""
        array, seen = self._arrays[name]
        for kept in self._dropped[seen:]:
            array = array.take(kept.positions)
        self._arrays[name] = (array, len(self._dropped))
        return array

    def objects(self, offset: int, replacing: bool = False) -> list[Any]:
        """A column of the batch as the Python objects that a `@udf` is called with.

        With `replacing`, what is no UTF-8 in a text becomes U+FFFD, as where the JVM reads it. Else it
        raises.
        """
        key = offset, replacing and _is_text(self._columns[offset].type)
        if key not in self._objects:
            objects = self._read(offset, key[1])
            convert = self._converters[offset]
            if convert is not None:
                objects = [convert(o) for o in objects]
        else:
            objects, seen = self._objects[key]
            for kept in self._dropped[seen:]:
                objects = [objects[i] for i in kept.list]
        self._objects[key] = (objects, len(self._dropped))
        return objects

    def _read(self, offset: int, replacing: bool) -> list[Any]:
        array = self.arrow(offset)
        try:
            return _to_pylist(array)
        except UnicodeDecodeError:
            if not replacing:
                raise
            texts = array.cast(pa.large_binary()).to_pylist()
            return [None if t is None else t.decode(errors="replace") for t in texts]

    def series(self, offset: int, convert: Callable[[pa.Array], Any]) -> Any:
        """A column of the batch as pandas has it.

        Of some types all rows of the batch are converted: pandas makes another one of them where there are
        NULLs, and a function must not see that rows have been dropped.
        """
        if not _changes_with_nulls(self._columns[offset].type):
            return convert(self.arrow(offset))
        if offset not in self._whole:
            self._whole[offset] = convert(self._columns[offset])
        if not self._dropped:
            return self._whole[offset].copy()
        return self._whole[offset].take(self._left()).reset_index(drop=True)

    def _left(self) -> Any:
        """The positions in the batch of the rows that are left."""
        left = self._dropped[0].positions
        for kept in self._dropped[1:]:
            left = left.take(kept.positions)
        return left.to_numpy()

    def at(self, positions: list[int]) -> Rows:
        """Some of the rows, in a batch of their own. Of a batch of which none has been dropped."""
        some = Rows(self._columns, self._converters, self.size)
        some._whole = self._whole
        some.keep(Kept(pa.array(positions, pa.int64())))
        return some


def _changes_with_nulls(kind: pa.DataType) -> bool:
    """Whether pandas has another type for a column of this one with NULLs, or for what is nested in it."""
    return bool(pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_nested(kind))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
