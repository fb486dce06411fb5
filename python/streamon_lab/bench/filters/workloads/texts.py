"""Texts that pass a regular expression or do not, which shows in their last character alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamon_lab.bench.filters.workload import Predicate

POOL = 200_000
"""Different keys and values of texts."""


def pool(rng: np.random.Generator) -> pa.Array:
    """The keys and values that texts are made of."""
    return pa.array([f"{x:06x}" for x in rng.integers(1 << 24, size=POOL)])


def draw(rng: np.random.Generator, of: pa.Array, rows: int, rate: float) -> pa.Array:
    """Texts made of a pool, of which a share passes."""
    tail = pa.array(["st7", "stx"]).take(pa.array(np.where(rng.random(rows) < rate, 0, 1)))
    key, value = (of.take(pa.array(rng.integers(POOL, size=rows))) for _ in range(2))
    return pc.binary_join_element_wise("k=", key, ";v=", value, ";", tail, "")


def predicate(column: str) -> Predicate:
    """The regular expression on a column of texts."""
    return Predicate(column, f"{column} RLIKE 'k=([0-9a-f]+);v=([0-9a-f]+);st[0-9]$'")
