"""Six hash predicates of equal cost, correlated so that marginal selectivities mislead.

`a1`..`a4` pass about 40% each and mostly the same rows; `c` passes about 59%, but rejects nearly
everything that the `a`s let through. By marginals the `a`s come first; the best order has `c` second.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Predicate, Workload

NAMES = ("W3",)
COLUMNS = ("a1", "a2", "a3", "a4", "b", "c")
SEED = 7
SHARED_PASS_RATE = 0.40
AGREEMENT = 0.80
"""Share of rows on which two of `a1`..`a4` say the same."""
CHUNK = 500_000
POOL = 200_000

Flags = npt.NDArray[np.bool_]


def flags(rng: np.random.Generator, rows: int) -> dict[str, Flags]:
    """Which rows pass each predicate."""
    shared = rng.random(rows) < SHARED_PASS_RATE
    # Two columns disagree only when one of them does not copy the shared bit.
    disagree_alone = 2 * SHARED_PASS_RATE * (1 - SHARED_PASS_RATE)
    copies = np.sqrt(1 - (1 - AGREEMENT) / disagree_alone)
    passes: dict[str, Flags] = {}
    for i, name in enumerate(("a1", "a2", "a3", "a4")):
        own = rng.random(rows) < SHARED_PASS_RATE + 0.005 * i
        passes[name] = np.where(rng.random(rows) < copies, shared, own)
    passes["b"] = rng.random(rows) < 0.70
    passes["c"] = rng.random(rows) < np.where(shared, 0.10, 0.92)
    return passes


def _pool(column: str) -> tuple[npt.NDArray[np.object_], Flags]:
    words = [hashlib.blake2b(f"{column}{i}".encode()).hexdigest()[:12] for i in range(POOL)]
    passes = [hashlib.sha256(w.encode()).hexdigest() < "8" for w in words]
    return np.array(words, dtype=object), np.array(passes)


def generate(folder: Path, rows: int) -> None:
    """Writes `correlated.parquet`: text columns whose sha2 decides what `flags` drew."""
    rng = np.random.default_rng(SEED)
    pools = {}
    for name in COLUMNS:
        words, ok = _pool(name)
        pools[name] = (pa.array(words[ok]), pa.array(words[~ok]))
    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    with pq.ParquetWriter(folder / "correlated.parquet", schema, use_dictionary=False) as writer:
        for start in range(0, rows, CHUNK):
            count = min(CHUNK, rows - start)
            arrays = []
            for name, passes in flags(rng, count).items():
                yes, no = pools[name]
                both = pa.concat_arrays([yes, no])
                index = np.where(
                    passes, rng.integers(len(yes), size=count), len(yes) + rng.integers(len(no), size=count)
                )
                arrays.append(both.take(pa.array(index)))
            writer.write_table(pa.table(arrays, schema=schema), row_group_size=250_000)


def workloads(root: Path, sizes: Sizes) -> list[Workload]:
    """W3."""
    rows = sizes.correlated_rows
    folder = cached(root, f"correlated-{rows}", lambda out: generate(out, rows))
    predicates = tuple(Predicate(c, f"sha2({c}, 256) < '8'") for c in COLUMNS)
    return [
        Workload(
            *NAMES,
            "six correlated sha2 predicates",
            predicates,
            folder / "correlated.parquet",
            columns=COLUMNS,
        )
    ]
