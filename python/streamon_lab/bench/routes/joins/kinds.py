"""Kinds of rows that arrive in one stream of a join, and the look-ups that an order takes for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from streamon_lab.bench.filters.workload import Order
from streamon_lab.bench.routes.forced import by_value

COLUMN = "kind"
"""Tells the kinds apart."""


@dataclass(frozen=True)
class Kind:
    """Rows that have one best order of look-ups.

    Attributes:
        name: the value of `COLUMN`.
        rows: how many there are.
        rates: by stream that they are looked up in, the share that has a match.
    """

    name: str
    rows: int
    rates: tuple[float, ...]

    def probes(self, order: Order) -> float:
        """The look-ups that all rows of the kind take together, on average. The first miss ends a row."""
        total, reached = 0.0, float(self.rows)
        for stream in order:
            total += reached
            reached *= self.rates[stream]
        return total

    @property
    def best(self) -> Order:
        """The order with the fewest look-ups."""
        return tuple(sorted(range(len(self.rates)), key=self.rates.__getitem__))


def orders(kinds: Sequence[Kind]) -> list[Order]:
    """All orders that a single route may have."""
    return list(permutations(range(len(kinds[0].rates))))


def probes(kinds: Sequence[Kind], order: Order) -> int:
    """The look-ups of all rows in one order. Rounded, so that orders that are alike compare as equal."""
    return round(sum(kind.probes(order) for kind in kinds))


def best_fixed(kinds: Sequence[Kind]) -> Order:
    """The order with the fewest look-ups for all rows together, the first of several."""
    return min(orders(kinds), key=lambda order: probes(kinds, order))


def worst(kinds: Sequence[Kind]) -> Order:
    """The order with the most look-ups, the first of several."""
    return max(orders(kinds), key=lambda order: probes(kinds, order))


def optimum(kinds: Sequence[Kind]) -> int:
    """The look-ups when each kind has its best order."""
    return round(sum(kind.probes(kind.best) for kind in kinds))


def routes(kinds: Sequence[Kind]) -> str:
    """The best order of each kind as `spark.streamon.join.routes.forced` takes it."""
    return by_value(COLUMN, {kind.name: kind.best for kind in kinds})
