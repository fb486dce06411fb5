"""What a batch tells of the predicates: how many rows each drops, and in what time."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence

from .rows import Kept


class Profile:
    """The counts of one batch, and its sampled rows. Predicates by written position."""

    def __init__(
        self, predicates: int, rows: int, sample: Sequence[int] = (), dropped: Sequence[int] = ()
    ) -> None:
        """Follows the rows of a batch at the positions `sample`, of which `dropped` are out already."""
        self._rows = rows
        self._evaluations = [0] * predicates
        self._drops = [0] * predicates
        self._nanos = [0] * predicates
        self._artificial = [0] * predicates
        self._artificial_nanos = [0] * predicates
        self._sample = sample
        self._raises: set[int] = set()
        self._dropped_at = dict.fromkeys(dropped, -1)
        self._dropped_by = dict.fromkeys(dropped, 0)
        # Where those that are not dropped stand among the rows that are left.
        self._traced = {row: row - bisect_left(dropped, row) for row in sample if row not in self._dropped_at}
        self.extra_nanos = 0
        self.reevaluated = 0
        self.raised: int | None = None
        self.unresolved = False

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
        return [
            row
            for row in self._sample
            if row not in self._raises and self._dropped_at.get(row, position) < position
        ]

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
        self._raises.update(rows)

    def report(self, trip_nanos: int) -> str:
        """As JSON: what `PythonReport` reads. A set of predicates is an integer of any size, a bit each.

        `trip_nanos` of the worker's processor time went to the answer before and to reading this batch.
        """
        return json.dumps(
            {
                "rows": self._rows,
                "evaluations": [a + b for a, b in zip(self._evaluations, self._artificial, strict=True)],
                "drops": self._drops,
                "nanos": [self._mean(q) for q in range(len(self._nanos))],
                "totalNanos": [a + b for a, b in zip(self._nanos, self._artificial_nanos, strict=True)],
                "samples": [
                    -1 if row in self._raises else self._dropped_by.get(row, 0) for row in self._sample
                ],
                "extraNanos": self.extra_nanos,
                "tripNanos": trip_nanos,
                "reevaluated": self.reevaluated,
                "raised": self.raised,
                "unresolved": self.unresolved,
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
