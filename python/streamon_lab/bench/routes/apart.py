"""Tables that are on disk twice: whole, with rows of all kinds mixed, and each kind apart for the oracle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

WHOLE = "whole"
FILES = 2
"""Of the whole, and of each kind."""
CONF = {"spark.sql.files.maxPartitionBytes": "1g"}
"""One task for each file."""
ROW_GROUP = 250_000

Part = tuple[pa.Table, Sequence[str], npt.NDArray[np.int_]]
"""Rows of a file in their order, names of the kinds among them, and which of these each row is."""


def write(folder: Path, file: int, parts: Iterable[Part]) -> None:
    """Writes one of the files of the whole, and one of each kind."""
    with ExitStack() as writers:
        found: dict[str, pq.ParquetWriter] = {}

        def put(name: str, rows: pa.Table) -> None:
            if name not in found:
                (folder / name).mkdir(exist_ok=True)
                target = folder / name / f"{file}.parquet"
                found[name] = writers.enter_context(pq.ParquetWriter(target, rows.schema))
            found[name].write_table(rows, row_group_size=ROW_GROUP)

        for rows, names, kind in parts:
            put(WHOLE, rows)
            for i, name in enumerate(names):
                put(name, rows.filter(pa.array(kind == i)))
