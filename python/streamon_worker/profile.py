"""What a batch tells of the predicates: how many rows each drops, and in what time."""

from __future__ import annotations

import json
import math
import random
from bisect import bisect_left

from .rows import Kept


class Sampler:
    """Draws rows to profile, each with the same probability."""

    def __init__(self, probability: float) -> None:
        self._probability = probability
        self._next = self._gap()

    def draw(self, size: int) -> list[int]:
        """Positions in the next `size` rows, ascending."""
        drawn = []
        while self._next < size:
            drawn.append(int(self._next))
            self._next += 1 + self._gap()
        self._next -= size
        return drawn

    def _gap(self) -> float:
        if self._probability <= 0:
            return math.inf
        if self._probability >= 1:
            return 0
        return math.floor(math.log1p(-random.random()) / math.log1p(-self._probability))  # noqa: S311


class Profile:
    """The counts of one batch, and its sampled rows. Predicates by written position."""

    def __init__(self, predicates: int, rows: int) -> None:
        self._rows = rows
        self._evaluations = [0] * predicates
        self._drops = [0] * predicates
        self._nanos = [0] * predicates
        self._artificial = [0] * predicates
        self._artificial_nanos = [0] * predicates
        self.extra_nanos = 0
        self.reevaluated = 0
        self._sample: list[int] = []
        self._left: list[int] = []
        self._dropped_at: dict[int, int] = {}
        self._dropped_by: dict[int, int] = {}
        self._order: list[int] = []

    def trace(self, sample: list[int]) -> None:
        """Follows the rows at these positions."""
        self._sample = sample
        # Where those that are not dropped stand among the rows that are left.
        self._traced = {p: p for p in sample}

    def evaluated(self, q: int, rows: int, passed: int, nanos: int) -> None:
        """A predicate was evaluated in turn, on so many rows."""
        self._evaluations[q] += rows
        self._drops[q] += rows - passed
        self._nanos[q] += nanos
        self._order.append(q)

    def drop(self, position: int, kept: Kept) -> None:
        """The predicate at a position of the order, the latest that was evaluated, dropped all but `kept`."""
        positions = kept.list if self._traced else []
        for row, now in list(self._traced.items()):
            then = bisect_left(positions, now)
            if then < len(positions) and positions[then] == now:
                self._traced[row] = then
            else:
                del self._traced[row]
                self._dropped_at[row] = position
                self._dropped_by[row] = 1 << self._order[-1]

    def dropped_before(self, position: int) -> list[int]:
        """Sampled rows that were dropped before they came to a position of the order."""
        return [row for row in self._sample if self._dropped_at.get(row, position) < position]

    def artificially(self, q: int, rows: list[int], passing: list[int], nanos: int) -> None:
        """A predicate was evaluated on sampled rows that had been dropped."""
        passed = set(passing)
        for i, row in enumerate(rows):
            if i not in passed:
                self._dropped_by[row] |= 1 << q
        self._artificial[q] += len(rows)
        self._artificial_nanos[q] += nanos

    def report(self, version: int) -> str:
        """As JSON: what `PythonReport` reads."""
        return json.dumps(
            {
                "version": version,
                "rows": self._rows,
                "evaluations": [a + b for a, b in zip(self._evaluations, self._artificial, strict=True)],
                "drops": self._drops,
                "nanos": [self._mean(q) for q in range(len(self._nanos))],
                "samples": [self._dropped_by.get(row, 0) for row in self._sample],
                "extraNanos": self.extra_nanos,
                "reevaluated": self.reevaluated,
            }
        )

    def _mean(self, q: int) -> int:
        """Nanoseconds a row, 0 when unknown. Rows in turn come in larger batches: their time is truer."""
        for rows, nanos in (
            (self._evaluations[q], self._nanos[q]),
            (self._artificial[q], self._artificial_nanos[q]),
        ):
            if rows >= len(self._sample) and rows and nanos:
                return max(nanos // rows, 1)
        total = self._evaluations[q] + self._artificial[q]
        return max((self._nanos[q] + self._artificial_nanos[q]) // total, 1) if total else 0
