"""The filters of the bench of routes: their data, and one small run of every variant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive
from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.orders import optimum_evaluations, orders_of
from streamon_lab.bench.filters.profile import profile
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.routes import given, report, variants
from streamon_lab.bench.routes.bench import Effort, measure_filter
from streamon_lab.bench.routes.forced import FILTER
from streamon_lab.bench.routes.learned import last_routes
from streamon_lab.bench.routes.sizes import RouteSizes
from streamon_lab.bench.routes.workloads import families, flights
from streamon_lab.bench.routes.workloads.logs import (
    COLUMNS,
    DRIFT,
    KINDS,
    ONE,
    ONE_KIND,
    THREE,
    THREE_KINDS,
    TURNED,
    Rates,
)
from streamon_lab.bench.session import settings
from streamon_lab.bench.stopwatch import Stopwatch

TINY = RouteSizes(logs=12_000, drift=24_000, flights=3_000, join=6_000, micro_batches=3)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("routes-data")


@pytest.fixture(scope="module")
def all_of_them(root: Path) -> dict[str, Workload]:
    found = families(root, TINY)
    made = {w.name: w for family in found for w in family.workloads()}
    assert list(made) == [name for family in found for name in family.names]
    return made


def passing(files: Path, where: str = "true") -> list[float]:
    """The share of rows that each text's regular expression passes."""
    asked = ", ".join(f"avg(({c} LIKE '%st7')::INT)" for c in COLUMNS)
    return list(duckdb.sql(f"SELECT {asked} FROM '{files}/*.parquet' WHERE {where}").fetchall()[0])


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_each_kind_has_rates_of_its_own(all_of_them: dict[str, Workload], kind: int) -> None:
    whole = all_of_them[THREE_KINDS.name].table
    assert passing(whole, f"kind = '{KINDS[kind]}'") == pytest.approx(THREE[kind], abs=0.04)


def test_one_kind_has_the_same_rates_whatever_its_columns_say(all_of_them: dict[str, Workload]) -> None:
    for where in (*(f"kind = '{kind}'" for kind in KINDS), "shard < 32"):
        assert passing(all_of_them[ONE_KIND.name].table, where) == pytest.approx(ONE[0], abs=0.04)


@pytest.mark.parametrize(("first", "rates"), [(0, THREE), (6_000, TURNED), (9_000, ONE)])
def test_the_drift_is_where_it_should_be(
    all_of_them: dict[str, Workload], tmp_path: Path, first: int, rates: Rates
) -> None:
    whole = all_of_them[DRIFT.name].table
    for file in ("0", "1"):
        folder = tmp_path / file
        folder.mkdir()
        pq.write_table(pq.read_table(whole / f"{file}.parquet").slice(first, 3_000), folder / "part.parquet")
        for kind, of in zip(KINDS, rates * (3 // len(rates)), strict=True):
            assert passing(folder, f"kind = '{kind}'") == pytest.approx(of, abs=0.06)


def test_each_kind_turns_and_the_averages_do_not() -> None:
    for before, after in zip(THREE, TURNED, strict=True):
        assert before.index(min(before)) != after.index(min(after))
    for before, after in zip(zip(*THREE, strict=True), zip(*TURNED, strict=True), strict=True):
        assert sum(before) == pytest.approx(sum(after))


def test_the_kinds_apart_are_the_whole(all_of_them: dict[str, Workload]) -> None:
    for workload in all_of_them.values():
        apart = " UNION ALL ".join(f"SELECT * FROM '{s}/*.parquet'" for s in workload.segments)
        whole = f"SELECT * FROM '{workload.table}/*.parquet'"
        assert duckdb.sql(f"({whole}) EXCEPT ALL ({apart})").fetchall() == []
        assert duckdb.sql(f"({apart}) EXCEPT ALL ({whole})").fetchall() == []


def test_the_kinds_of_flights(all_of_them: dict[str, Workload]) -> None:
    found = {
        path.name: set(duckdb.sql(f"SELECT DISTINCT carrier, origin FROM '{path}/*.parquet'").fetchall())
        for path in all_of_them[flights.NAME].segments
    }
    assert {("UA", "EWR"), ("UA", "LGA"), ("DL", "JFK")} <= found["maker"]
    assert {("DL", "EWR"), ("EV", "EWR"), ("B6", "EWR")} <= found["from"]
    assert {origin for _, origin in found["from"]} == {"EWR"}
    assert {carrier for carrier, _ in found["miles"]} == set(flights.MILES)
    assert {carrier for carrier, _ in found["seats"]} == set(flights.SEATS)


def test_the_same_seed_gives_the_same_logs(tmp_path: Path) -> None:
    one, two = (pq.read_table(DRIFT.workload(tmp_path / name, 2_000).table) for name in ("one", "two"))
    assert one == two
    assert len(one) == 2_000


@pytest.mark.parametrize(
    "name",
    [
        THREE_KINDS.name,
        DRIFT.name,
        *(pytest.param(name, marks=pytest.mark.prove) for name in (flights.NAME, ONE_KIND.name)),
    ],
)
def test_every_variant_gives_the_same_rows(
    spark: SparkSession, root: Path, all_of_them: dict[str, Workload], name: str
) -> None:
    workload, told = all_of_them[name], list[str]()
    measured = measure_filter(
        Stopwatch(spark),
        workload,
        workload.table,
        root / "kept",
        Effort(1, 1, 1),
        told.append,
        lambda _: None,
    )
    oracle = {variants.ORACLE} if len(workload.segments) > 1 else set()
    with_routes = set(given.NAMES) if name == THREE_KINDS.name else set()
    assert set(measured.timings) == {variants.STOCK_BEST, *variants.ALGORITHMS} | oracle | with_routes
    assert set(measured.counted) == set(variants.ALGORITHMS)
    assert [r.number for r in measured.routes] == list(range(len(measured.routes))) != []
    for variant in measured.timings:
        assert measured.profile.counts.rows <= measured.evaluated(variant)
        # Both clocks have steps of ten milliseconds or less.
        assert measured.jvm_seconds[variant][0] >= measured.timings[variant].cpu_seconds[0] - 0.02
    assert [text for text in told if text.startswith(f"{name}: the oracle could win")] == told != []
    result = report.as_json([measured], {"spark_cores": 2}, {"rounds": 1})
    assert json.loads(json.dumps(result)) == result


def test_routes_that_are_not_the_oracles_stop_the_bench(
    spark: SparkSession, root: Path, all_of_them: dict[str, Workload]
) -> None:
    logs, watch = all_of_them[THREE_KINDS.name], Stopwatch(spark)
    found = profile(watch, logs, logs.table, root / "kept", 1)
    orders = orders_of(found)
    optimum = optimum_evaluations(found, orders)
    turned = replace(orders, oracle=(*orders.oracle[1:], orders.oracle[0]))
    for right, wrong in zip(
        given.of_logs(spark, logs, orders), given.of_logs(spark, logs, turned), strict=True
    ):
        watch.run(right.query, right.conf)
        given.check(spark, right, optimum)
        watch.run(wrong.query, wrong.conf)
        with pytest.raises(UnexpectedPlanError, match="conjuncts, and"):
            given.check(spark, wrong, optimum)


def test_the_routes_of_the_last_run(spark: SparkSession, all_of_them: dict[str, Workload]) -> None:
    logs, written = all_of_them[THREE_KINDS.name], (5, 4, 3, 2, 1, 0)
    text = "CASE kind WHEN 'api' THEN '0,1,2,3,4,5' WHEN 'batch' THEN '1,0,2,3,4,5' ELSE '2,0,1,3,4,5' END"
    with settings(spark, {FILTER: text}):
        spark.sql(logs.query(written, "/*+ ADAPTIVE_FILTER('algorithm=query-mesh') */")).collect()
    found = last_routes(spark, written)
    assert [r.number for r in found] == [0, 1, 2]
    # Positions in the text are as it is written, and those in a route as the workload has them.
    assert [r.order for r in found] == [(5, 4, 3, 2, 1, 0), (4, 5, 3, 2, 1, 0), (3, 5, 4, 2, 1, 0)]
    assert "'api'" in found[0].rows
    assert "'batch'" in found[1].rows
    assert sum(r.share or 0.0 for r in found) == pytest.approx(1.0)
    assert found[0].as_json(logs)["order"] == ["u", "t", "s", "r", "q", "p"]
    assert found[0].modelled is None
    spark.sql(logs.query(written, adaptive.HINT)).collect()
    assert last_routes(spark, written) == []


@pytest.mark.parametrize(
    ("algorithm", "hint", "conf"),
    [
        ("query-mesh", variants.hint("sweep"), {}),
        ("a-greedy", "", adaptive.OFF),
        (None, adaptive.HINT, {}),
    ],
)
def test_another_plan_than_it_should_be_stops_the_bench(
    spark: SparkSession,
    all_of_them: dict[str, Workload],
    algorithm: str | None,
    hint: str,
    conf: dict[str, str],
) -> None:
    query = all_of_them[ONE_KIND.name].query((0, 1, 2, 3, 4, 5), hint)
    with pytest.raises(UnexpectedPlanError, match="AdaptiveFilter"):
        variants.check(spark, Variant("any", query, conf), algorithm)
