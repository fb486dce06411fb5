"""A sequence of results that prints itself in terminals and notebooks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import StructType

T = TypeVar("T")


class Found(Sequence[T]):
    """Rows of a table function at one moment, each as a small object."""

    def __init__(self, frame: DataFrame) -> None:
        self._take(frame)

    def _take(self, frame: DataFrame) -> None:
        """Hold the rows of a frame from now on."""
        self._session: SparkSession = frame.sparkSession
        self._schema: StructType = frame.schema
        self._rows: list[Row] = frame.collect()
        self._items = [self._item(row) for row in self._rows]

    @abstractmethod
    def _item(self, row: Row) -> T:
        """The item for a row."""

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> list[T]: ...

    def __getitem__(self, at: int | slice) -> T | list[T]:
        return self._items[at]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return str(self)

    def df(self) -> DataFrame:
        """The same rows as a DataFrame."""
        return self._session.createDataFrame(self._rows, self._schema)
