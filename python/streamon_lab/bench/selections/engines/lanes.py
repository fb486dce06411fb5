"""The lanes of the engines that are installed."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamon_lab.bench.selections.engines import by_duckdb, by_polars, rule_indexes
from streamon_lab.bench.selections.lane import Done, Lane
from streamon_lab.bench.selections.workload import RuleWorkload

POLARS, DUCKDB, A_TREE = "polars", "DuckDB", "A-Tree"
ENGINES = (POLARS, DUCKDB, A_TREE)
INVERTED = "inverted index, without Spark"

MOST_RULES = {POLARS: 1_000, DUCKDB: 1_000, A_TREE: 100, INVERTED: 10_000}
"""Rules beyond which a lane is left out: it takes minutes."""


def versions() -> dict[str, str | None]:
    """Of the engines; None for one that is not installed."""
    has_polars = importlib.util.find_spec("polars") is not None
    return {
        POLARS: metadata.version("polars") if has_polars else None,
        DUCKDB: metadata.version("duckdb"),
        A_TREE: rule_indexes.version() if rule_indexes.program() else None,
    }


def limit_threads(cores: int) -> None:
    """To be called before polars is loaded, which reads its number of threads once."""
    os.environ[by_polars.THREADS] = str(cores)


@contextmanager
def opened(
    workload: RuleWorkload, table: pa.Table, rows: npt.NDArray[np.int32], cores: int
) -> Iterator[list[Lane]]:
    """The lanes that suit a workload. What they have laid down is removed afterwards.

    Args:
        workload: its rules are run.
        table: its rows.
        rows: the same without their ids, in sequence of these.
        cores: threads of each engine.
    """
    has, lanes = versions(), list[Lane]()

    def add(name: str, engine: str, run: Callable[[], Callable[[], Done]]) -> None:
        if has[engine] is not None and workload.count <= MOST_RULES[name]:
            lanes.append(Lane(name, run(), sparse=workload.count >= MOST_RULES[name]))

    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        add(POLARS, POLARS, lambda: by_polars.run(table, workload.rules))
        add(
            DUCKDB,
            DUCKDB,
            lambda: by_duckdb.run(stack.enter_context(by_duckdb.database(table, cores)), workload.rules),
        )
        if has[A_TREE] is not None:
            files = rule_indexes.write(folder, rows, workload.rules)
            add(A_TREE, A_TREE, lambda: rule_indexes.run(rule_indexes.A_TREE, files, cores))
            add(INVERTED, A_TREE, lambda: rule_indexes.run(rule_indexes.INVERTED, files, cores))
        yield lanes
