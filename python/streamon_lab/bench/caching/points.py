"""The eight points of Table 5.2 of the thesis: four streams joined on one attribute.

The thesis gives rates and pairwise selectivities, which fix neither the joins of three and four nor the
windows. As in the lab, each stream draws from one pool of values that all share with probability 1/4, which
makes half of the least selectivity, and else from one of three pools, each shared with one other stream.
Here rows never leave, so pools are larger the more rows there are: when all have come, a row meets as many
of a stream at rate 1 as it does in the lab's windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

STREAMS = "rstu"
PAIRS = tuple(combinations(range(len(STREAMS)), 2))
SHARED = 0.25
"""Of the values, drawn from the common pool."""
WINDOW = 200
"""Rows of each stream in the lab."""
APART = 2**20
"""Between the values of two pools; more than any has."""


@dataclass(frozen=True)
class Point:
    """`rates` of R, S, T, U; `selectivities` of the pairs RS, RT, RU, ST, SU, TU."""

    name: str
    rates: tuple[float, ...]
    selectivities: tuple[float, ...]

    def rows(self, rows: int) -> Sequence[int]:
        """Of each stream, of so many in all."""
        return [int(rows * rate / sum(self.rates)) for rate in self.rates]

    def streams(self, rng: np.random.Generator, rows: int) -> Mapping[str, Mapping[str, np.ndarray]]:
        """The values of each stream."""
        scale = rows / sum(self.rates) / WINDOW
        return {
            name: {"k": self._draw(rng, i, count, scale)}
            for i, (name, count) in enumerate(zip(STREAMS, self.rows(rows), strict=True))
        }

    def _draw(self, rng: np.random.Generator, stream: int, count: int, scale: float) -> np.ndarray:
        common = min(self.selectivities) / 2
        if common == 0:
            return len(STREAMS) * rng.integers(2**40, size=count) + stream
        own = [k for k, pair in enumerate(PAIRS) if stream in pair]
        ratio = ((1 - SHARED) / len(own)) ** 2
        pools = [SHARED**2 / common, *(ratio / (s - common) for s in self.selectivities)]
        pool = np.where(rng.random(count) < SHARED, 0, 1 + rng.choice(own, size=count))
        sizes = np.maximum(1, np.rint(np.array(pools) * scale)).astype(np.int64)
        return pool * APART + rng.integers(sizes[pool])


ALL = (
    Point("d1", (10, 1, 1, 1), (0.004, 0.005, 0.005, 0.007, 0.0045, 0.005)),
    Point("d2", (8, 1, 1, 8), (0.004, 0.005, 0.005, 0.007, 0.0045, 0.005)),
    Point("d3", (10, 15, 1, 5), (0.003, 0.005, 0.007, 0.0045, 0.006, 0.008)),
    Point("d4", (1, 1, 1, 1), (0.003, 0.004, 0.0067, 0.002, 0.0023, 0.0027)),
    Point("d5", (4, 1, 1, 4), (0.005, 0.007, 0.005, 0.006, 0.005, 0.002)),
    Point("d6", (1, 1, 1, 1), (0.005, 0.0033, 0.0025, 0.0067, 0.005, 0.0075)),
    Point("d7", (1, 1, 1, 1), (0.0,) * 6),
    Point("d8", (1, 1, 1, 1), (0.001,) * 6),
)
