"""The orders that a workload is run in, and why each of them."""

from __future__ import annotations

from dataclasses import dataclass

from streamon_lab.bench.filters import model
from streamon_lab.bench.filters.profile import Profile
from streamon_lab.bench.filters.workload import Order

NEAR = 3
"""How many of the model's best orders are candidates for the best fixed order."""


@dataclass(frozen=True)
class Orders:
    """What the model says: extremes, and what simpler rules would pick.

    `oracle` has the best order of each segment. `near` are the first few by the model, best first:
    timing decides which of them is the best fixed order.
    """

    worst: Order
    best: Order
    greedy: Order
    cheapest: Order
    marginal: Order
    oracle: tuple[Order, ...]
    near: tuple[Order, ...]


def orders_of(profile: Profile) -> Orders:
    """The orders for a profile."""
    counts, costs = profile.counts, profile.costs
    near = model.best_orders(counts, costs, NEAR)
    return Orders(
        worst=model.worst_order(counts, costs),
        best=near[0],
        greedy=model.greedy_order(counts, costs),
        cheapest=model.cheapest_order(costs),
        marginal=model.marginal_order(counts, costs),
        oracle=tuple(model.best_orders(segment, costs)[0] for segment in profile.segments),
        near=tuple(near),
    )


def optimum_evaluations(profile: Profile, orders: Orders) -> int:
    """Evaluations of the cheapest order of each segment: what knowing all would spend.

    Cheapest in time: another order may evaluate fewer, dearer conjuncts.
    """
    segments = zip(profile.segments, orders.oracle, strict=True)
    return sum(counts.evaluations(order) for counts, order in segments)


def optimum_nanos(profile: Profile, orders: Orders) -> float:
    """Nanoseconds that those evaluations take by the model."""
    segments = zip(profile.segments, orders.oracle, strict=True)
    return sum(model.cost(counts, profile.costs, order) for counts, order in segments)
