"""Batches on their way through a worker: which are judged together, and in which order they leave."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql.types import BooleanType

from streamon_worker import line, sampled
from streamon_worker.batch import Batch
from streamon_worker.joined import Joined
from streamon_worker.line import Line
from streamon_worker.rows import Rows
from streamon_worker.run import Run
from streamon_worker.steps import Step, Steps, result

Verdict = Callable[[int], bool]


@dataclass
class Judge:
    """A function of one column of numbers. It remembers how many it was called with."""

    verdict: Verdict
    vectorised: bool
    raises_on: frozenset[int] = frozenset()
    calls: list[list[int]] = field(default_factory=list)
    seen: Callable[[Rows], Hashable] = lambda _: None

    def evaluate(self, rows: Rows | Joined) -> pa.Array:
        numbers = rows.arrow(0).to_pylist()
        assert numbers, "called for no rows"
        self.calls.append(numbers)
        if self.raises_on.intersection(numbers):
            raise ValueError("boom")
        return pa.array([self.verdict(n) for n in numbers])

    def sees(self, rows: Rows) -> Hashable:
        return self.seen(rows)


def step(function: Judge, level: int = 0) -> Step:
    return Step(function, lambda results: results, BooleanType(), None, [], level)


def run(
    numbers: list[int],
    order: list[int],
    steps: Steps,
    sample: dict[int, bool] | None = None,
    behind: bool = False,
) -> Run:
    """A batch of numbers; `sample` tells positions of sampled rows, and whether the JVM has dropped them."""
    control = json.dumps({"order": order, "latest": "", "behind": behind, "waits": True})
    marks = [(sample or {}).get(i) for i in range(len(numbers))]
    columns = [
        pa.array([control] + [None] * (len(numbers) - 1)),
        pa.array(marks, pa.bool_()),
        pa.array(numbers, pa.int64()),
    ]
    batch = Batch(pa.RecordBatch.from_arrays(columns, ["control", "mark", "n"]), 0)
    return Run(batch, steps.path(order), len(steps.tested), Rows(batch.columns, {0: None}, batch.size), 0)


def left(run: Run) -> list[int]:
    return run.rows.arrow(0).to_pylist()  # type: ignore[no-any-return]


@given(st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 4))
def test_batches_leave_in_turn_with_the_rows_that_pass(
    draw: random.Random, batches: int, predicates: int
) -> None:
    """Against brute force, with functions that raise on rows, samples, and rows that the JVM has dropped."""
    shares = [draw.choice([0.05, 0.5, 0.95]) for _ in range(predicates)]
    sizes = [draw.randint(1, 30) for _ in range(batches)]
    every = draw.sample(range(10**6), sum(sizes))
    numbers = [every[sum(sizes[:b]) : sum(sizes[: b + 1])] for b in range(batches)]
    passes = [{n: draw.random() < share for n in every} for share in shares]
    bad = [frozenset(draw.sample(every, draw.choice([0, 0, 1]))) for _ in range(predicates)]
    judges = [
        Judge(passed.__getitem__, draw.random() < 0.7, raises)
        for passed, raises in zip(passes, bad, strict=True)
    ]
    # Each on a level of its own: Spark calls it for the rows that those before have left.
    steps = Steps([step(judge, level) for level, judge in enumerate(judges)])
    order = draw.sample(range(predicates), predicates)
    samples = [
        {i: draw.random() < 0.3 for i in range(len(batch)) if draw.random() < 0.3} for batch in numbers
    ]
    runs = [
        run(batch, draw.choice([order, order, order[::-1]]), steps, sample)
        for batch, sample in zip(numbers, samples, strict=True)
    ]

    def raises_in_spark(batch: list[int]) -> bool:
        for raising, passed in zip(bad, passes, strict=True):
            if raising.intersection(batch):
                return True
            batch = [n for n in batch if passed[n]]
        return False

    through = Line(steps).through(iter(runs))
    for each, batch, sample in zip(runs, numbers, samples, strict=True):
        standing = [n for i, n in enumerate(batch) if not sample.get(i)]
        expected = [n for n in standing if all(passed[n] for passed in passes)]
        try:
            came = next(through)
        except ValueError:
            assert raises_in_spark(standing)
            return
        assert came is each
        assert left(came) == expected
        assert came.rows.positions.to_pylist() == [batch.index(n) for n in expected]
        told = json.loads(came.report(0))
        if told["raised"] is None:
            for (i, _), verdicts in zip(sample.items(), told["samples"], strict=True):
                if verdicts >= 0:
                    assert verdicts == sum(1 << q for q in range(predicates) if not passes[q][batch[i]])
            assert sum(told["drops"]) == len(standing) - len(expected)
    assert next(through, None) is None


def test_a_vectorised_function_is_called_for_the_rows_of_several_batches() -> None:
    first, second = Judge(lambda n: n % 10 == 0, True), Judge(lambda n: n % 20 == 0, True)
    steps = Steps([step(first), step(second)])
    runs = [run(list(range(100 * b, 100 * b + 100)), [0, 1], steps) for b in range(20)]
    found = list(Line(steps).through(iter(runs)))
    assert [n for each in found for n in left(each)] == list(range(0, 2000, 20))
    assert [len(call) for call in first.calls] == [100] * 20
    # The first batches do not wait. Five are half as wide as one was, but no more than a full line waits.
    assert [len(call) for call in second.calls[:3]] == [10, 10, 10]
    assert max(len(call) for call in second.calls) == 50
    assert len(second.calls) < 10


def test_no_more_rows_are_joined_than_the_largest_batch_has() -> None:
    """Of every other batch 45 rows are left, which wait, and then 95."""
    first = Judge(lambda n: n % 100 < (95 if n // 100 % 2 else 45), True)
    second = Judge(lambda _: True, True)
    steps = Steps([step(first), step(second)])
    runs = [run(list(range(100 * b, 100 * b + 100)), [0, 1], steps) for b in range(30)]
    list(Line(steps).through(iter(runs)))
    assert sum(len(call) for call in second.calls) == 15 * (45 + 95)
    assert {len(call) for call in second.calls} == {45, 90, 95}


def test_only_what_a_function_sees_in_the_same_types_is_joined() -> None:
    first = Judge(lambda n: n % 10 == 0, True)
    second = Judge(lambda _: True, True, seen=lambda rows: rows.arrow(0)[0].as_py() // 100 % 2)
    steps = Steps([step(first), step(second)])
    runs = [run(list(range(100 * b, 100 * b + 100)), [0, 1], steps) for b in range(20)]
    found = list(Line(steps).through(iter(runs)))
    assert [n for each in found for n in left(each)] == list(range(0, 2000, 10))
    assert all(len({n // 100 % 2 for n in call}) == 1 for call in second.calls)
    assert len(second.calls) < 16


def test_sampled_rows_are_evaluated_in_no_larger_calls_and_their_time_is_told() -> None:
    judges = [Judge(lambda n: n % 10 == 0, True), Judge(lambda n: n % 3 > 0, True)]
    steps = Steps([step(judge) for judge in judges])
    runs = [
        run(list(range(100 * b, 100 * b + 100)), [0, 1], steps, dict.fromkeys(range(0, 100, 2), False))
        for b in range(20)
    ]
    told = [json.loads(each.report(0)) for each in Line(steps).through(iter(runs))]
    assert all(t["extraNanos"] > 0 for t in told)
    assert sum(t["evaluations"][1] for t in told) == 200 + 20 * 40
    assert max(len(call) for call in judges[1].calls) <= 100


def test_a_predicate_is_timed_without_those_whose_results_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of turn too, where these are evaluated anew."""
    clock = [0]
    for module in (line, sampled):
        monkeypatch.setattr(module, "perf_counter_ns", lambda: clock[0])

    class Timed(Judge):
        nanos = 1000

        def evaluate(self, rows: Rows | Joined) -> pa.Array:
            clock[0] += self.nanos
            return super().evaluate(rows)

    class Outer(Timed):
        nanos = 10

        def evaluate(self, rows: Rows | Joined) -> pa.Array:
            assert rows.arrow(result(0)) is not None
            return super().evaluate(rows)

    inner, outer = Timed(lambda n: n % 2 == 0, True), Outer(lambda _: True, True)
    steps = Steps([step(inner), Step(outer, lambda r: r, BooleanType(), None, [0], 1)])
    (found,) = Line(steps).through(iter([run(list(range(10)), [0, 1], steps, {1: False})]))
    assert left(found) == [0, 2, 4, 6, 8]
    # The sampled row is dropped by the first.
    assert inner.calls == [list(range(10)), [1]]
    told = json.loads(found.report(0))
    assert (told["samples"], told["totalNanos"], told["extraNanos"]) == ([1], [1000, 20], 1010)


def test_a_function_that_is_called_for_each_row_waits_for_nothing() -> None:
    steps = Steps([step(Judge(lambda n: n == 0, True)), step(Judge(lambda n: n >= 0, False))])
    came = []

    def batches() -> Iterator[Run]:
        for _ in range(9):
            came.append(run([0, 1, 2, 3], [0, 1], steps))
            yield came[-1]

    for found in Line(steps).through(batches()):
        assert found is came[-1]


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_BATCHES"])
def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(line, limit, 1)
    steps = Steps([step(Judge(lambda n: n % 100 == 0, True)), step(second := Judge(lambda _: True, True))])
    list(Line(steps).through(run(list(range(100)), [0, 1], steps) for _ in range(10)))
    assert [len(call) for call in second.calls] == [1] * 10


def test_a_batch_that_raises_is_found_among_those_that_it_was_joined_with() -> None:
    first = Judge(lambda n: n % 10 == 0, True)
    second = Judge(lambda _: True, True, frozenset({650}))
    steps = Steps([step(first), step(second)])
    through = Line(steps).through(
        run(list(range(100 * b, 100 * b + 100)), [0, 1], steps, behind=True) for b in range(10)
    )
    found = [(left(each), json.loads(each.report(0))) for each in through]
    assert [told["unresolved"] for _, told in found] == [b == 6 for b in range(10)]
    assert [told["raised"] for _, told in found] == [1 if b == 6 else None for b in range(10)]
    assert [numbers for numbers, _ in found] == [
        [] if b == 6 else list(range(100 * b, 100 * b + 100, 10)) for b in range(10)
    ]


def test_batches_before_one_that_raises_are_answered() -> None:
    """A query that wants no more rows succeeds, as it does with Spark."""
    first = Judge(lambda n: n % 10 == 0, True)
    second = Judge(lambda _: True, True, frozenset({650}))
    steps = Steps([step(first), step(second)])
    through = Line(steps).through(run(list(range(100 * b, 100 * b + 100)), [0, 1], steps) for b in range(10))
    for b in range(6):
        assert left(next(through)) == list(range(100 * b, 100 * b + 100, 10))
    with pytest.raises(ValueError, match="boom"):
        next(through)


def test_a_function_is_called_with_results_of_others() -> None:
    """Of those that are there, and of those that are computed for it."""
    inner = Judge(lambda n: n % 2 == 0, True)
    other = Judge(lambda n: n % 3 == 0, False)

    class Both(Judge):
        def evaluate(self, rows: Rows | Joined) -> pa.Array:
            self.calls.append(rows.arrow(0).to_pylist())
            return pc.and_(rows.arrow(result(0)), rows.arrow(result(1)))

    both = Both(lambda _: True, True)
    steps = Steps(
        [
            step(inner),
            Step(other, None, BooleanType(), None, [], 0),
            Step(both, lambda results: results, BooleanType(), None, [0, 1], 1),
        ]
    )
    for order in ([0, 1], [1, 0]):
        (found,) = Line(steps).through(iter([run(list(range(12)), order, steps)]))
        assert left(found) == [0, 6]
    assert both.calls == [[0, 2, 4, 6, 8, 10], list(range(12))]
    # Spark calls them for all rows of a level.
    assert other.calls == both.calls
