"""A batch of rows as it came from the JVM."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc


class Batch:
    """The arguments of a batch, and what is to be done with it.

    Attributes:
        order: that of the predicates.
        behind: whether the JVM has conditions left for the rows that pass.
        waits: whether its rows may wait for those of other batches.
        columns: the arguments.
        bytes: the size of the batch.
        sample: positions of the rows that are profiled, ascending.
        dropped: of these, those that the JVM has dropped already. They are here to be profiled.
    """

    def __init__(self, batch: pa.RecordBatch, number: int) -> None:
        """Takes the batch as it came, and which one of the task's it is, from 0 on."""
        told = json.loads(batch.column(0)[0].as_py())
        self.order: list[int] = _latest(told["latest"], number) or told["order"]
        self.behind: bool = told["behind"]
        self.waits: bool = told["waits"]
        self.columns = batch.columns[2:]
        self.size: int = batch.num_rows
        self.bytes: int = batch.nbytes
        marks = batch.column(1)
        isnt_marked = marks.null_count == self.size
        self.sample: list[int] = [] if isnt_marked else pc.indices_nonzero(marks.is_valid()).to_pylist()
        self.dropped: list[int] = [] if isnt_marked else pc.indices_nonzero(marks).to_pylist()

    def share(self, rows: int) -> int:
        """About as many bytes as so many of the rows take."""
        return self.bytes * rows // self.size

    @property
    def standing(self) -> list[int]:
        """Positions of the rows that have not been dropped."""
        gone = set(self.dropped)
        return [row for row in range(self.size) if row not in gone]


def _latest(file: str, number: int) -> list[int] | None:
    """The order that was found since a batch was sent, if any. The JVM replaces the file as a whole."""
    try:
        found = json.loads(Path(file).read_text()) if file else None
    except OSError:
        return None
    return found["order"] if found and number < found["batches"] else None
