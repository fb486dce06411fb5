"""Streams as folders of CSV files, which every engine reads."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv

FIRST_TIME = 1_700_000_000
"""Seconds; the files of a stream are a second apart, so that sources take them in sequence."""


def write(folder: Path, stream: str, rows: pa.Table, ends: list[int]) -> None:
    """Writes the rows of a stream, the file of number `f` up to row `ends[f]`."""
    (folder / stream).mkdir(parents=True)
    start = 0
    for number, end in enumerate(ends):
        file = folder / stream / f"part-{number:03d}.csv"
        csv.write_csv(
            rows.slice(start, end - start),
            file,
            csv.WriteOptions(include_header=False, quoting_style="none"),
        )
        os.utime(file, (FIRST_TIME + number, FIRST_TIME + number))
        start = end


def evenly(rows: int, files: int) -> list[int]:
    """The ends of files of equal length."""
    return [int(end) for end in np.linspace(0, rows, files + 1)[1:]]


def words(
    rng: np.random.Generator, shape: tuple[int, ...], letters: int, first: str, last: str
) -> np.ndarray:
    """Words of so many letters, from one letter to another, as bytes."""
    drawn = rng.integers(ord(first), ord(last) + 1, size=(*shape, letters), dtype=np.uint8)
    return np.asarray(np.ascontiguousarray(drawn).view(f"S{letters}")[..., 0])


def hexadecimal(rng: np.random.Generator, rows: int) -> pa.Array:
    """Texts of 16 characters."""
    return pa.array([f"{x:016x}" for x in rng.integers(2**63 - 1, size=rows)])
