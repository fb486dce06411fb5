"""Sinks for the rows of rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pyspark.sql import DataFrame

from streamon.errors import ArgumentError


@dataclass(frozen=True)
class Sink:
    """Where rows are appended: a table, or whatever a data source of Spark writes to.

    >>> streamon.Sink("kafka", options={"kafka.bootstrap.servers": "...", "topic": "late"})  # doctest: +SKIP

    Attributes:
        format: the data source, such as `parquet`, `delta`, `kafka`, `jdbc`, `console` or `noop`. It must be
            able to write a batch. None for Spark's default.
        path: the folder of the files, for a data source that has one.
        table: the name of a table, in the place of a path.
        partition_by: a column, or several, that partition the files or the table.
        options: of the data source.

    Raises:
        ArgumentError: both a path and a table are given, or none of format, path and table.
    """

    format: str | None = None
    path: str | None = None
    table: str | None = None
    partition_by: str | Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is not None and self.table is not None:
            raise ArgumentError("streamon.Sink accepts a path or a table, not both.")
        if self.format is None and self.path is None and self.table is None:
            raise ArgumentError("streamon.Sink needs a format, a path or a table.")

    def __call__(self, frame: DataFrame, batch_id: int) -> None:  # noqa: ARG002
        """Append the rows of a frame."""
        writer = frame.write.mode("append").options(**self.options)
        if self.format is not None:
            writer = writer.format(self.format)
        if self.partition_by:
            columns = [self.partition_by] if isinstance(self.partition_by, str) else self.partition_by
            writer = writer.partitionBy(*columns)
        if self.table is not None:
            writer.saveAsTable(self.table)
        else:
            writer.save(self.path)


Target: TypeAlias = "Sink | Callable[[DataFrame, int], object]"
"""A sink, or a function of a frame and the number of its micro-batch."""
