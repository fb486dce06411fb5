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
        self._objects: dict[int, tuple[list[Any], int]] = {}

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

    def objects(self, offset: int) -> list[Any]:
        """A column of the batch as the Python objects that a `@udf` is called with."""
        if offset not in self._objects:
            objects = _to_pylist(self.arrow(offset))
            convert = self._converters[offset]
            seen = len(self._dropped)
            if convert is not None:
                objects = [convert(o) for o in objects]
        else:
            objects, seen = self._objects[offset]
            for kept in self._dropped[seen:]:
                objects = [objects[i] for i in kept.list]
        self._objects[offset] = (objects, len(self._dropped))
        return objects

    def at(self, positions: list[int]) -> Rows:
        """Some of the rows, in a batch of their own. Of a batch of which none has been dropped."""
        some = Rows([], self._converters, 0)
        some._arrays.update(self._arrays)
        some.keep(Kept(pa.array(positions, pa.int64())))
        return some
