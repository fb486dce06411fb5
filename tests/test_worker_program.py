"""What runs in a Python worker, without Spark: rows that are left, conditions on results, profiles."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamon_worker.conditions import condition
from streamon_worker.profile import Profile
from streamon_worker.rows import Kept, Rows

RESULT = {"op": "result"}


def kept(positions: list[int]) -> Kept:
    return Kept(pa.array(positions, pa.int64()))


@given(st.integers(0, 30), st.lists(st.tuples(st.integers(0, 2**30), st.booleans()), max_size=6))
def test_columns_follow_the_rows_that_are_left(size: int, steps: list[tuple[int, bool]]) -> None:
    """Whenever a column is first read, and whichever rows were dropped before and since."""
    rows = Rows([pa.array(range(size)), pa.array([str(i) for i in range(size)])], [None, str.upper], size)
    left = list(range(size))
    for bits, read in steps:
        positions = [i for i in range(len(left)) if bits >> i & 1]
        rows.keep(kept(positions))
        left = [left[i] for i in positions]
        if read:
            assert rows.objects(1) == [str(i) for i in left]
            rows.add("doubled", pa.array([2 * i for i in left], pa.int64()))
    assert rows.size == len(left)
    assert rows.arrow(0).to_pylist() == left
    assert rows.objects(0) == left
    if any(read for _, read in steps):
        assert rows.arrow("doubled").to_pylist() == [2 * i for i in left]


NAN = math.nan


@pytest.mark.parametrize(
    ("tree", "results", "expected"),
    [
        (RESULT, pa.array([True, False, None]), [True, False, None]),
        ({"op": "not", "of": RESULT}, pa.array([True, None]), [False, None]),
        ({"op": "null"}, pa.array([1.0, NAN, None]), [False, False, True]),
        ({"op": ">", "literal": 1.5, "type": "fractional"}, pa.array([1.0, 2.0, NAN]), [False, True, True]),
        ({"op": "<", "literal": 1.5, "type": "fractional"}, pa.array([1.0, NAN, None]), [True, False, None]),
        ({"op": "=", "literal": 0.0, "type": "fractional"}, pa.array([-0.0, NAN]), [True, False]),
        ({"op": "<", "literal": "b", "type": "plain"}, pa.array(["a", "\xe9", "B"]), [True, False, True]),
        ({"op": "in", "literals": [3, 5], "type": "plain"}, pa.array([3, 4, None]), [True, False, None]),
        (
            {"op": "<", "literal": 2932897, "type": "date"},
            pa.array([datetime.date(9999, 12, 31), None]),
            [True, None],
        ),
        (
            {"op": ">=", "literal": 19800, "type": "date"},
            pa.array([datetime.date(2024, 3, 18), datetime.date(2024, 3, 17)]),
            [True, False],
        ),
        (
            {"op": "=", "literal": "1.50", "type": "decimal"},
            pa.array([decimal.Decimal("1.50"), decimal.Decimal("1.51")]),
            [True, False],
        ),
        (
            {"op": "or", "left": {"op": "null"}, "right": {"op": "=", "literal": 3, "type": "plain"}},
            pa.array([None, 3, 4]),
            [True, True, False],
        ),
    ],
)
def test_conditions_are_those_of_spark(tree: dict[str, Any], results: pa.Array, expected: list[Any]) -> None:
    assert condition(tree)(results).to_pylist() == expected


@given(
    st.randoms(use_true_random=False), st.integers(1, 40), st.one_of(st.integers(1, 5), st.integers(60, 130))
)
def test_a_profile_tells_what_each_predicate_drops(draw: random.Random, size: int, predicates: int) -> None:
    """Against brute force over verdicts of all predicates on all rows."""
    verdicts = [[draw.random() < 0.6 for _ in range(size)] for _ in range(predicates)]
    order = draw.sample(range(predicates), predicates)
    sample = sorted(draw.sample(range(size), draw.randint(0, size)))
    out = sorted(draw.sample(sample, draw.randint(0, len(sample))))
    profile = Profile(predicates, size, sample, out)
    standing = [row for row in range(size) if row not in out]
    left = standing
    for position, q in enumerate(order):
        passing = [i for i, row in enumerate(left) if verdicts[q][row]]
        if left:
            profile.evaluated(q, len(left), len(left) - len(passing), 100 * len(left))
            if len(passing) < len(left):
                profile.drop(position, q, kept(passing))
        left = [left[i] for i in passing]
    raising = set(draw.sample(out, min(len(out), draw.randint(0, 2))))
    for row in raising:
        profile.forget([row])
    for position, q in enumerate(order):
        dropped = profile.dropped_before(position)
        assert not raising & set(dropped)
        if dropped:
            profile.artificially(q, dropped, [i for i, row in enumerate(dropped) if verdicts[q][row]], 100)
    report = json.loads(profile.report(17))
    assert report["samples"] == [
        -1 if row in raising else sum(1 << q for q in range(predicates) if not verdicts[q][row])
        for row in sample
    ]
    assert report["drops"] == [
        sum(
            not verdicts[q][row] and all(verdicts[p][row] for p in order[: order.index(q)])
            for row in standing
        )
        for q in range(predicates)
    ]
    assert (report["rows"], report["tripNanos"]) == (size, 17)
