"""What a batch tells of the predicates: how many rows each drops, and in what time."""

from __future__ import annotations

import json
import math
import random
from bisect import bisect_left

from .rows import Kept


def drawn(size: int, probability: float) -> list[int]:
    """Positions in `size` rows, ascending, each drawn with the same probability."""
    if probability >= 1:
        return list(range(size))
    positions: list[int] = []
    position = -1
    while probability > 0:
        position += 1 + int(math.log1p(-random.random()) / math.log1p(-probability))  # noqa: S311
        if position >= size:
            break
        positions.append(position)
    return positions


class Profile:
    """The counts of one batch, and its sampled rows. Predicates by written position."""

    def __init__(self, predicates: int, rows: int, sample: list[int]) -> None:
        """Follows the rows of a batch at the positions `sample`."""
        self._rows = rows
        self._evaluations = [0] * predicates
        self._drops = [0] * predicates
        self._nanos = [0] * predicates
        self._artificial = [0] * predicates
        self._artificial_nanos = [0] * predicates
        self._sample = sample
        # Where those that are not dropped stand among the rows that are left.
        self._traced = {row: row for row in sample}
        self._dropped_at: dict[int, int] = {}
        self._dropped_by: dict[int, int] = {}
        self.extra_nanos = 0
        self.reevaluated = 0
        self.raised: int | None = None

    def evaluated(self, q: int, rows: int, dropped: int, nanos: int) -> None:
        """A predicate was evaluated in turn, on so many rows."""
        self._evaluations[q] += rows
        self._drops[q] += dropped
        self._nanos[q] += nanos

    def drop(self, position: int, q: int, kept: Kept) -> None:
        """Predicate q, at a position of the order, dropped all rows that were left but `kept`."""
        positions = kept.list if self._traced else []
        for row, now in list(self._traced.items()):
            then = bisect_left(positions, now)
            if then < len(positions) and positions[then] == now:
                self._traced[row] = then
            else:
                del self._traced[row]
                self._dropped_at[row] = position
                self._dropped_by[row] = 1 << q

    def dropped_before(self, position: int) -> list[int]:
        """Sampled rows that were dropped before they came to a position of the order."""
        return [row for row in self._sample if self._dropped_at.get(row, position) < position]

    def artificially(self, q: int, rows: list[int], passing: list[int], nanos: int) -> None:
        """A predicate was evaluated on dropped rows of the sample; `passing` are indexes in `rows`."""
        passed = set(passing)
        for i, row in enumerate(rows):
            if i not in passed:
                self._dropped_by[row] |= 1 << q
        self._artificial[q] += len(rows)
        self._artificial_nanos[q] += nanos

    def forget(self, rows: list[int]) -> None:
        """These rows are no sample: a predicate raises on one of them."""
        gone = set(rows)
        self._sample = [row for row in self._sample if row not in gone]

    def report(self, passed: int) -> str:
        """As JSON: what `PythonReport` reads. `passed` is how many rows pass all predicates."""
        return json.dumps(
            {
                "rows": self._rows,
                "passed": passed,
                "evaluations": [a + b for a, b in zip(self._evaluations, self._artificial, strict=True)],
                "drops": self._drops,
                "nanos": [self._mean(q) for q in range(len(self._nanos))],
                "samples": [self._dropped_by.get(row, 0) for row in self._sample],
                "extraNanos": self.extra_nanos,
                "reevaluated": self.reevaluated,
                "raised": self.raised,
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
