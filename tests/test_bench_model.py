"""The bench's model of orders against brute force over all permutations."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamon_lab.bench.filters import model
from streamon_lab.bench.filters.model import PassCounts


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    """Rows as masks of the predicates that are true of them, and a cost for each predicate."""
    n = draw(st.integers(2, 5))
    masks = draw(st.lists(st.integers(0, 2**n - 1), min_size=1, max_size=40))
    costs = draw(st.lists(st.floats(1, 1000), min_size=n, max_size=n))
    return masks, costs


def counts_of(masks: list[int], n: int) -> PassCounts:
    return PassCounts.from_histogram(n, {mask: masks.count(mask) for mask in masks})


def run(masks: list[int], costs: list[float], order: tuple[int, ...]) -> tuple[float, int]:
    """Cost and evaluations, a row and a predicate at a time."""
    spent, evaluated = 0.0, 0
    for mask in masks:
        for predicate in order:
            spent += costs[predicate]
            evaluated += 1
            if not mask >> predicate & 1:
                break
    return spent, evaluated


@settings(deadline=None)
@given(cases())
def test_an_order_costs_what_evaluating_it_row_by_row_costs(case: tuple[list[int], list[float]]) -> None:
    masks, costs = case
    counts = counts_of(masks, len(costs))
    for order in itertools.permutations(range(len(costs))):
        spent, evaluated = run(masks, costs, order)
        assert model.cost(counts, costs, order) == pytest.approx(spent)
        assert counts.evaluations(order) == evaluated


@settings(deadline=None)
@given(cases(), st.integers(1, 7))
def test_the_search_finds_the_extremes_of_all_permutations(
    case: tuple[list[int], list[float]], k: int
) -> None:
    masks, costs = case
    counts = counts_of(masks, len(costs))
    every = sorted(run(masks, costs, order)[0] for order in itertools.permutations(range(len(costs))))
    best = model.best_orders(counts, costs, k)
    assert len(set(best)) == min(k, len(every))
    assert [model.cost(counts, costs, order) for order in best] == pytest.approx(every[:k])
    assert model.cost(counts, costs, model.worst_order(counts, costs)) == pytest.approx(every[-1])


@settings(deadline=None)
@given(cases())
def test_greedy_costs_at_most_four_times_the_best(case: tuple[list[int], list[float]]) -> None:
    masks, costs = case
    counts = counts_of(masks, len(costs))
    best = model.best_orders(counts, costs)[0]
    greedy = model.greedy_order(counts, costs)
    assert model.cost(counts, costs, greedy) <= 4 * model.cost(counts, costs, best) * (1 + 1e-9)


def test_marginals_and_cheapest_first_are_misled_where_they_should_be() -> None:
    # Predicates 0 and 1 are true of the same 4 rows of 10; predicate 2 of the 6 others and one of the 4.
    counts = counts_of([0b011] * 3 + [0b111] + [0b100] * 6, 3)
    costs = [2.0, 2.0, 1.9]
    assert model.marginal_order(counts, costs) == (0, 1, 2)
    assert model.cheapest_order(costs) == (2, 0, 1)
    assert model.greedy_order(counts, costs) == (0, 2, 1)
    assert model.best_orders(counts, costs)[0] == (0, 2, 1)


def test_counts_of_segments_add_up() -> None:
    masks, more = [0, 1, 2, 3, 3], [1, 1, 0, 3]
    assert counts_of(masks, 2) + counts_of(more, 2) == counts_of(masks + more, 2)
