"""What is left of several batches, put together for one call of a function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from .rows import Rows
from .run import Run


class HasRows(Protocol):
    """Rows of one batch."""

    rows: Rows

    @property
    def bytes(self) -> int:
        """Their size, about."""


Part = TypeVar("Part", bound=HasRows)


class Limits:
    """The rows and the bytes of the largest of some batches. No call has more."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.rows = max((run.batch.size for run in runs), default=0)
        self._bytes = max((run.batch.bytes for run in runs), default=0)

    def packs(self, parts: Iterable[Part]) -> list[list[Part]]:
        """Parts side by side that are within the limits together."""
        packs: list[list[Part]] = []
        for part in parts:
            together = [*packs[-1], part] if packs else []
            if together and rows_of(together) <= self.rows and sum(p.bytes for p in together) <= self._bytes:
                packs[-1] = together
            else:
                packs.append([part])
        return packs


def rows_of(parts: Sequence[HasRows]) -> int:
    """How many they have together."""
    return sum(part.rows.size for part in parts)
