"""The bench of Python functions: its data, one small run of every variant, and what is made of the runs."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.model import PassCounts
from streamon_lab.bench.filters.orders import orders_of
from streamon_lab.bench.filters.profile import Profile
from streamon_lab.bench.measure import Timings
from streamon_lab.bench.python import by_hand, data, markdown, report, variants
from streamon_lab.bench.python.bench import Effort, Measured, measure
from streamon_lab.bench.python.data import Logs
from streamon_lab.bench.python.functions import Function, Kind
from streamon_lab.bench.python.sizes import PythonSizes
from streamon_lab.bench.python.summary import CONTROLS, SPEEDUPS, TARGETS, summary
from streamon_lab.bench.python.variants import Variant
from streamon_lab.bench.python.workload import PythonWorkload, predicate
from streamon_lab.bench.python.workloads import FLIP, LENIENT, NAMES, ONE, STRICT, TRIVIAL, workloads
from streamon_lab.bench.stopwatch import Stopwatch

TINY = PythonSizes(logs=2_000, wide=400, vectorised=2_000, flights=1_500, flip=2_000, trivial=2_000)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("python-data")


@pytest.fixture(scope="module")
def all_of_them(root: Path) -> dict[str, PythonWorkload]:
    return {w.name: w for w in workloads(root, TINY)}


@pytest.mark.parametrize("passing", [STRICT, LENIENT], ids=["strict", "lenient"])
def test_rows_pass_as_often_as_they_should(passing: dict[str, float], tmp_path: Path) -> None:
    table = pq.read_table(Logs(20_000, passing).table(tmp_path))
    for column, (_, passes) in data.TEXTS.items():
        found = np.mean([passes(text) for text in table[column].to_pylist()])
        assert found == pytest.approx(passing[column], abs=0.015)


def test_the_same_seed_gives_the_same_logs(tmp_path: Path) -> None:
    logs = Logs(3_000, STRICT, payload=100)
    one, two = (pq.read_table(logs.table(tmp_path / name)) for name in ("one", "two"))
    assert one == two
    assert {len(text) for text in one["payload"].to_pylist()} == {100}


def test_the_figures_have_their_workloads(all_of_them: dict[str, PythonWorkload]) -> None:
    asked = {name for names in SPEEDUPS.values() for name in names} | {FLIP, *CONTROLS}
    assert asked == set(all_of_them)
    assert list(all_of_them) == list(NAMES)


@pytest.mark.parametrize(
    "name",
    [
        "mixed",
        FLIP,
        *(pytest.param(name, marks=pytest.mark.prove) for name in ("pickled", "vectorised-arrow")),
    ],
)
def test_every_variant_gives_the_same_rows_with_the_nodes_that_it_should(
    spark: SparkSession, root: Path, all_of_them: dict[str, PythonWorkload], name: str
) -> None:
    workload = all_of_them[name]
    measured = measure(
        Stopwatch(spark), workload, workload.table, root / "kept", Effort(1, 1), lambda _: None
    )
    names = {variants.STOCK, variants.STOCK_AGAIN, variants.CHAIN, variants.BY_HAND, variants.STATIC}
    assert names | {variants.ADAPTIVE_WORST, variants.ADAPTIVE_BEST} <= set(measured.timings)
    rows = measured.profile.counts.rows
    first = measured.counted[variants.STATIC][0]
    assert len(first.evaluations) == len(workload.python)
    assert max(first.evaluations) <= rows
    result = report.as_json([measured], {"spark_cores": 2}, {"rounds": 1})
    assert json.loads(json.dumps(result)) == result


def test_one_function_is_left_to_spark(
    spark: SparkSession, root: Path, all_of_them: dict[str, PythonWorkload]
) -> None:
    workload = all_of_them[ONE]
    measured = measure(
        Stopwatch(spark), workload, workload.table, root / "kept", Effort(1, 1), lambda _: None
    )
    assert set(measured.timings) == {variants.STOCK, variants.STOCK_AGAIN, variants.HINTED}
    assert measured.counted == {}


def test_another_plan_than_it_should_be_stops_the_bench(
    spark: SparkSession, all_of_them: dict[str, PythonWorkload]
) -> None:
    workload = all_of_them[TRIVIAL]
    for function in workload.functions:
        function.register(spark, workload.kind)
    with pytest.raises(UnexpectedPlanError, match="should have 0 of Spark's nodes"):
        Variant("stock", workload.query((0, 1, 2, 3)), 0, adaptive.OFF).check(spark)


def test_vectorised_functions_by_hand_are_called_for_the_rows_that_are_left() -> None:
    import pandas as pd
    import pyarrow as pa

    seen: list[int] = []

    def above(column: pd.Series) -> pd.Series:
        seen.append(len(column))
        return column > 2

    def equal(column: pa.Array) -> pa.Array:
        seen.append(len(column))
        return pa.array([value == 4 for value in column.to_pylist()])

    narrow = by_hand.narrowing([(above, (0,)), (above, (1,))], Kind.SERIES)
    assert narrow(pd.Series([1, 3, 4]), pd.Series([9, 9, 0])).tolist() == [False, True, False]
    assert seen == [3, 2]
    seen.clear()
    narrow = by_hand.narrowing([(equal, (0,)), (equal, (1,)), (equal, (0,))], Kind.ARRAYS)
    assert narrow(pa.array([4, 4, 1]), pa.array([1, 1, 4])).to_pylist() == [False] * 3
    assert seen == [3, 2], "nothing is called for no rows"


def test_processor_time_has_that_of_python_workers(spark: SparkSession) -> None:
    def busy(number: int) -> bool:
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass
        return number >= 0

    Function("busy", busy).register(spark, Kind.ROWS)
    watch = Stopwatch(spark)
    assert watch.run("SELECT count_if(busy(id)) FROM range(0, 2, 1, 1)").cpu_seconds >= 0.95
    assert watch.run("SELECT count(*) FROM range(10)").cpu_seconds < 0.5


def measured_as(name: str, **seconds: float) -> Measured:
    """What a run of these times would give."""
    named = {
        "stock": variants.STOCK,
        "again": variants.STOCK_AGAIN,
        "hand": variants.BY_HAND,
        "front": variants.BY_HAND_FRONT,
        "static": variants.STATIC,
        "worst": variants.ADAPTIVE_WORST,
        "best": variants.ADAPTIVE_BEST,
        "hinted": variants.HINTED,
    }
    timings = {named[k]: Timings([s / 2], [s]) for k, s in seconds.items()}
    predicates = (predicate("f", "a"), predicate("g", "b", asked="> 3"))
    workload = PythonWorkload(name, name, predicates, Path(), columns=("a", "b"))
    profile = Profile((PassCounts.from_histogram(2, {0: 4, 1: 3, 2: 2, 3: 1}),), (100.0, 50.0))
    return Measured(workload, profile, orders_of(profile), timings, {})


def test_the_figures() -> None:
    found = [
        measured_as("arrow", stock=6.0, again=6.3, hand=2.0, static=2.1, worst=2.5, best=2.2),
        measured_as("arrow-udf", stock=6.0, again=6.0, hand=2.0, static=2.0, worst=2.0, best=2.0),
        measured_as("mixed", stock=6.0, again=6.0, hand=2.0, front=1.5, static=2.0, worst=2.4, best=2.0),
        measured_as(FLIP, stock=6.0, again=6.0, hand=2.0, static=3.0, worst=2.2, best=2.1),
        measured_as(ONE, stock=2.0, again=2.0, hinted=2.04),
        measured_as(TRIVIAL, stock=2.0, again=1.9, hand=1.0, static=1.5, worst=2.1, best=1.9),
    ]
    figures = summary(found)
    assert figures["speedup_arrow"] == pytest.approx(2.4)
    assert figures["speedup_pickled"] is None
    assert figures["speedup_mixed"] == pytest.approx(2.5)
    assert figures["regret_to_oracle"] == pytest.approx(1.6)
    assert figures["regret_to_oracle_workload"] == "mixed"
    assert figures["regret_to_static"] == pytest.approx(1.2)
    assert figures["drift_vs_oracle"] == pytest.approx(1.1)
    assert figures["control_overhead"] == pytest.approx(1.05)
    assert figures["noise_floor"] == pytest.approx(0.053)
    assert figures["speedup_arrow_clock"] == figures["speedup_arrow"]
    assert set(TARGETS) <= set(figures)


def test_the_best_order_by_hand_has_the_functions_next_to_each_other() -> None:
    from streamon_lab.bench.filters.workload import Predicate

    predicates = (predicate("f", "a"), Predicate("j", "a > 1"), predicate("g", "b"))
    workload = PythonWorkload("w", "w", predicates, Path(), columns=("a", "b"))
    dropped = (9, 3, 1)
    histogram = {m: math.prod(1 if m >> i & 1 else n for i, n in enumerate(dropped)) for m in range(8)}
    profile = Profile((PassCounts.from_histogram(3, histogram),), (10.0, 10.0, 10.0))
    assert orders_of(profile).best == (0, 1, 2)
    assert variants.together(workload, profile) in {(0, 2, 1), (1, 0, 2)}


def test_the_page_has_the_method_and_every_variant() -> None:
    measured = measured_as("arrow", stock=6.0, again=6.3, hand=2.0, static=2.1, worst=2.5, best=2.2)
    environment = {
        **{"spark_cores": 2, "spark": "4.3.0", "java": "17", "system": "Linux"},
        **{"machine_cores": 2, "load_average_at_start": 0.1},
    }
    result = report.as_json([measured], environment, {"rounds": 3})
    text = markdown.as_markdown(result, "python.json")
    assert "processor time" in text
    assert "python.json" in text
    for name in measured.timings:
        assert name in text
    assert "| `speedup_arrow` | 2.400 | >= 2.2 | yes |" in text
