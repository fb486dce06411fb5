"""The exact cost model of a fixed order, and the orders worth comparing.

The cost of an order is Eq. 4.1 of the StreaMon thesis with nothing estimated: the number of rows that
reach each predicate is counted for every subset of predicates, so correlations are in it whole.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from streamon_lab.bench.filters.workload import Order


@dataclass(frozen=True)
class PassCounts:
    """How many rows pass every subset of `n` predicates: `passing[S]` for the bit set `S`."""

    n: int
    passing: tuple[int, ...]

    @classmethod
    def from_histogram(cls, n: int, histogram: Mapping[int, int]) -> PassCounts:
        """Counts from `histogram[mask]`: the rows for which exactly the predicates of `mask` are true."""
        passing = [histogram.get(mask, 0) for mask in range(1 << n)]
        for bit in range(n):
            for mask in range(1 << n):
                if not mask >> bit & 1:
                    passing[mask] += passing[mask | 1 << bit]
        return cls(n, tuple(passing))

    @property
    def rows(self) -> int:
        """All rows, before any predicate."""
        return self.passing[0]

    def __add__(self, other: PassCounts) -> PassCounts:
        return PassCounts(self.n, tuple(a + b for a, b in zip(self.passing, other.passing, strict=True)))

    def reaching(self, order: Order) -> list[int]:
        """Rows that reach each position of `order`: the evaluations at each position."""
        counts, seen = [], 0
        for predicate in order:
            counts.append(self.passing[seen])
            seen |= 1 << predicate
        return counts

    def evaluations(self, order: Order) -> int:
        """Predicates evaluated when all rows go through `order`."""
        return sum(self.reaching(order))


Costs = Sequence[float]
"""Cost of one evaluation of each predicate, in nanoseconds."""


def cost(counts: PassCounts, costs: Costs, order: Order) -> float:
    """Nanoseconds spent in predicates when all rows go through `order`."""
    return sum(rows * costs[p] for rows, p in zip(counts.reaching(order), order, strict=True))


def best_orders(counts: PassCounts, costs: Costs, k: int = 1) -> list[Order]:
    """The `k` cheapest orders, cheapest first; exact, by dynamic programming over subsets."""
    return _extreme_orders(counts, costs, k, sign=1)


def worst_order(counts: PassCounts, costs: Costs) -> Order:
    """The dearest order; exact."""
    return _extreme_orders(counts, costs, 1, sign=-1)[0]


def _extreme_orders(counts: PassCounts, costs: Costs, k: int, sign: int) -> list[Order]:
    # What a last predicate costs depends only on the set before it, so the k best orders of a set are
    # found among the k best orders of its subsets.
    ranked: list[list[tuple[float, Order]]] = [[(0.0, ())]]
    for subset in range(1, 1 << counts.n):
        candidates = [
            (before + sign * costs[last] * counts.passing[subset ^ 1 << last], (*order, last))
            for last in range(counts.n)
            if subset >> last & 1
            for before, order in ranked[subset ^ 1 << last]
        ]
        ranked.append(heapq.nsmallest(k, candidates))
    return [order for _, order in ranked[-1]]


def greedy_order(counts: PassCounts, costs: Costs) -> Order:
    """At each position the largest drop rate over cost, among the rows that the prefix lets through."""
    order: list[int] = []
    seen = 0
    while len(order) < counts.n:
        reaching = counts.passing[seen]

        def gain(p: int, seen: int = seen, reaching: int = reaching) -> float:
            return (reaching - counts.passing[seen | 1 << p]) / costs[p]

        chosen = max((p for p in range(counts.n) if p not in order), key=gain)
        order.append(chosen)
        seen |= 1 << chosen
    return tuple(order)


def marginal_order(counts: PassCounts, costs: Costs) -> Order:
    """By drop rate over cost, each predicate taken alone: right when they are independent."""
    return tuple(sorted(range(counts.n), key=lambda p: -(counts.rows - counts.passing[1 << p]) / costs[p]))


def cheapest_order(costs: Costs) -> Order:
    """By cost alone: what a rule that knows no selectivity does."""
    return tuple(sorted(range(len(costs)), key=lambda p: costs[p]))
