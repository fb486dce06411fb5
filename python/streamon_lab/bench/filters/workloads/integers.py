"""Six integer comparisons: nothing here is expensive, so nothing may be lost either."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Predicate, Workload

NAMES = ("W5",)
COLUMNS = ("i1", "i2", "i3", "i4", "i5", "i6")
CONDITIONS = ("< 50000", "< 300000", "< 500000", ">= 300000", ">= 150000", ">= 50000")
RANGE = 1_000_000
SEED = 5
CHUNK = 1_000_000


def generate(folder: Path, rows: int) -> None:
    """Writes `integers.parquet`: independent uniform integers below `RANGE`."""
    rng = np.random.default_rng(SEED)
    schema = pa.schema([(name, pa.int32()) for name in COLUMNS])
    with pq.ParquetWriter(folder / "integers.parquet", schema, use_dictionary=False) as writer:
        for start in range(0, rows, CHUNK):
            count = min(CHUNK, rows - start)
            arrays = [pa.array(rng.integers(RANGE, size=count, dtype=np.int32)) for _ in COLUMNS]
            writer.write_table(pa.table(arrays, schema=schema), row_group_size=500_000)


def table(root: Path, rows: int) -> Path:
    """The file under a folder, made if it is not there."""
    return cached(root, f"integers-{rows}", lambda out: generate(out, rows)) / "integers.parquet"


def workloads(root: Path, sizes: Sizes) -> list[Workload]:
    """W5."""
    predicates = tuple(Predicate(c, f"{c} {cond}") for c, cond in zip(COLUMNS, CONDITIONS, strict=True))
    return [
        Workload(
            *NAMES,
            "six integer comparisons (control)",
            predicates,
            table(root, sizes.integer_rows),
            columns=COLUMNS,
            all_cheap=True,
        )
    ]
