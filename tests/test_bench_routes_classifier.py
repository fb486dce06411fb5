"""What the tree of Query Mesh takes for a row."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.measure import Timings
from streamon_lab.bench.routes import classifier
from streamon_lab.bench.routes.classifier import (
    ONE,
    ONE_AGAIN,
    ORDERS,
    TREE,
    TREE_AGAIN,
    Classifier,
    forced,
    measure_classifier,
)
from streamon_lab.bench.routes.workloads.logs import KINDS, THREE_KINDS
from streamon_lab.bench.stopwatch import Stopwatch

ROWS = 6_000


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return THREE_KINDS.workload(tmp_path_factory.mktemp("classifier-data"), ROWS)


def classified(
    one: Sequence[float], one_again: Sequence[float], tree: Sequence[float], tree_again: Sequence[float]
) -> Classifier:
    """Runs of these milliseconds over a million rows, so that each is a nanosecond for a row."""
    runs = {ONE: one, ONE_AGAIN: one_again, TREE: tree, TREE_AGAIN: tree_again}
    return Classifier(1_000_000, {name: Timings([], [m / 1e3 for m in ms]) for name, ms in runs.items()})


def test_the_time_of_the_tree_is_that_of_both_runs_over_that_of_both_without() -> None:
    found = classified([10, 11, 99], [12, 12, 12], [30, 31, 31], [34, 34, 34])
    assert found.nanos == pytest.approx(32.5 - 12)
    assert found.noise == pytest.approx(3)
    assert found.is_above_noise
    assert found.as_json()["ns_a_row"] == 20.5
    assert found.as_json()["above_noise"] is True


@pytest.mark.parametrize("tree", [[11.0], [9.0], [12.0]])
def test_a_difference_within_noise_is_not_above_it(tree: list[float]) -> None:
    found = classified([10.0], [12.0], tree, tree)
    assert found.noise == pytest.approx(2)
    assert not found.is_above_noise


def test_routes_as_the_setting_has_them() -> None:
    assert forced(ORDERS[:1]) == "'0,2,1,3'"
    assert forced(ORDERS) == (
        "CASE WHEN kind = 'api' THEN '0,2,1,3' WHEN kind = 'batch' THEN '0,3,1,2' ELSE '0,1,3,2' END"
    )
    assert len(ORDERS) == len(set(ORDERS)) == len(KINDS)


def test_every_variant_runs_with_the_routes_that_it_should(spark: SparkSession, logs: Workload) -> None:
    ticks = list[str]()
    found = measure_classifier(Stopwatch(spark), logs, ROWS, 2, ticks.append)
    assert {name: len(t.cpu_seconds) for name, t in found.timings.items()} == dict.fromkeys(
        (ONE, TREE, ONE_AGAIN, TREE_AGAIN), 2
    )
    assert {f"classifier, {name}" for name in found.timings} == set(ticks)


def test_other_routes_than_it_should_have_stop_the_bench(
    spark: SparkSession, logs: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classifier, "forced", lambda _: forced(ORDERS[:1]))
    with pytest.raises(UnexpectedPlanError, match="tree had the routes"):
        measure_classifier(Stopwatch(spark), logs, ROWS, 1, lambda _: None)
