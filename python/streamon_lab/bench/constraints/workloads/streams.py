"""Streams in the order of their event times, cut into files at the same times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.variants import Variant
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

Columns = Mapping[str, np.ndarray]
"""Those of one stream; `ts` is its event time in milliseconds."""


def write(folder: Path, streams: Mapping[str, Columns], millis: int, count: int) -> None:
    """Writes `count` files of each stream, of which each has an equal part of the time up to `millis`.

    No row is late so: those of a file are all later than those of the files before.
    """
    cuts = np.linspace(0, millis, count + 1)[1:]
    for name, columns in streams.items():
        order = np.argsort(columns["ts"], kind="stable")
        ordered = {column: values[order] for column, values in columns.items()}
        ends = [int(end) for end in np.searchsorted(ordered["ts"], cuts, side="left")]
        files.write(folder, name, pa.table(ordered), ends)


def workload(
    name: str,
    title: str,
    streams: Mapping[str, str],
    query: str,
    folder: Path,
    count: int,
    variants: tuple[Variant, ...],
    growing: int,
) -> JoinWorkload:
    """Of a query that selects `x AS name` only."""
    results = tuple(re.findall(r" AS (\w+)", query.split(" FROM ")[0]))
    return JoinWorkload(
        name,
        title,
        tuple(Stream(stream, columns, timed=True) for stream, columns in streams.items()),
        query,
        results,
        folder,
        count,
        sum(1 for stream in streams for file in (folder / stream).iterdir() for _ in file.open()),
        variants,
        growing,
    )
