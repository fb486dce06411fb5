"""The join of the bench of routes: its data, its model, and one small run of every variant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from streams_in_duckdb import read_by_duckdb

from streamon_lab.bench.families import chosen
from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.routes.command import every
from streamon_lab.bench.routes.joins import kinds, variants
from streamon_lab.bench.routes.joins.bench import MeasuredJoin, measure_join
from streamon_lab.bench.routes.joins.kinds import Kind
from streamon_lab.bench.routes.joins.workload import KindsJoin
from streamon_lab.bench.routes.sizes import RouteSizes
from streamon_lab.bench.routes.variants import A_GREEDY, ALGORITHMS, QUERY_MESH
from streamon_lab.bench.routes.workloads import join
from streamon_lab.bench.streaming import checksum
from streamon_lab.bench.streaming.run import Answer
from streamon_lab.bench.streaming.runner import Runner

ROWS, MICRO_BATCHES = 6_000, 3
TWO = (Kind("left", 100, (0.1, 0.5, 0.8)), Kind("right", 300, (0.9, 0.5, 0.2)))


@pytest.fixture(scope="module")
def workload(tmp_path_factory: pytest.TempPathFactory) -> KindsJoin:
    return join.workload(tmp_path_factory.mktemp("join"), ROWS, MICRO_BATCHES)


@pytest.fixture(scope="module")
def measured(
    spark: SparkSession, workload: KindsJoin, tmp_path_factory: pytest.TempPathFactory
) -> MeasuredJoin:
    checkpoints, told = tmp_path_factory.mktemp("checkpoints"), list[str]()
    found = measure_join(spark, workload, checkpoints, 1, told.append, lambda _: None)
    assert not checkpoints.exists()
    assert told == ["join: the oracle could win a factor of 1.81 in look-ups"]
    return found


def test_it_can_be_chosen_without_the_data_of_filters(tmp_path: Path) -> None:
    sizes = RouteSizes(logs=60, drift=60, flights=60, join=60, micro_batches=2)
    [family] = chosen(every(tmp_path, sizes), [join.NAME])
    assert [of.name for of in family.workloads()] == [join.NAME]
    assert len(list(tmp_path.iterdir())) == 1


def test_each_kind_has_match_rates_of_its_own(workload: KindsJoin) -> None:
    database = read_by_duckdb(workload.join)
    for text, column in zip(join.TEXTS, zip(*join.RATES, strict=True), strict=True):
        found = database.execute(
            f"SELECT kind, count(*), avg(contains({text}.text, w{text})::INT) "
            f"FROM r JOIN {text} ON k{text} = {text}.k GROUP BY kind"
        ).fetchall()
        assert {kind: rows for kind, rows, _ in found} == {k.name: k.rows for k in workload.kinds}
        rates = {kind: rate for kind, _, rate in found}
        expected = {k.name: rate for k, rate in zip(workload.kinds, column, strict=True)}
        assert rates == pytest.approx(expected, abs=0.03)


def test_no_order_suits_all_kinds(workload: KindsJoin) -> None:
    taken = {kinds.probes(workload.kinds, order) for order in kinds.orders(workload.kinds)}
    assert max(taken) == min(taken)
    assert len({kind.best for kind in workload.kinds}) == len(workload.kinds)


def test_the_files_have_the_rows_that_the_workload_says(workload: KindsJoin) -> None:
    lines = 0
    for stream in workload.join.streams:
        files = sorted((workload.join.folder / stream.name).iterdir())
        assert len(files) == MICRO_BATCHES
        rows = [len(file.read_text().splitlines()) for file in files]
        assert rows[0] == (1 if stream is join.QUESTIONS else join.KEYS)
        lines += sum(rows)
    assert lines == workload.join.rows


def test_the_same_seed_gives_the_same_streams(tmp_path: Path) -> None:
    one, two = (
        {
            f.relative_to(tmp_path / name): f.read_bytes()
            for f in join.workload(tmp_path / name, 60, 2).join.folder.rglob("*.csv")
        }
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 2 * len(join.STREAMS)


def test_the_model_counts_look_ups_until_the_first_miss() -> None:
    left, right = TWO
    assert left.probes((0, 1, 2)) == pytest.approx(100 + 10 + 5)
    assert left.probes((2, 1, 0)) == pytest.approx(100 + 80 + 40)
    assert (left.best, right.best) == ((0, 1, 2), (2, 1, 0))
    assert kinds.optimum(TWO) == 115 + 300 + 60 + 30
    assert kinds.best_fixed(TWO) == (2, 0, 1)
    assert kinds.probes(TWO, (2, 0, 1)) == 100 + 80 + 8 + 300 + 60 + 54
    assert kinds.worst(TWO) == (0, 1, 2)
    assert kinds.routes(TWO) == "CASE WHEN kind = 'left' THEN '0,1,2' ELSE '2,1,0' END"


def test_every_variant_gives_the_rows_of_another_database(
    workload: KindsJoin, measured: MeasuredJoin
) -> None:
    rows = read_by_duckdb(workload.join).execute(workload.join.query).fetchall()
    assert rows
    assert set(measured.timings) == {variants.ORACLE, *ALGORITHMS}
    for variant, [run] in measured.runs.items():
        assert run.answer == Answer(len(rows), checksum.of(rows)), variant
        # Both clocks have steps of ten milliseconds or less.
        assert measured.jvm_seconds[variant] == [run.jvm_cpu_seconds]
        assert run.jvm_cpu_seconds >= run.cpu_seconds - 0.02


def test_the_routes_of_the_oracle_take_as_many_look_ups_as_the_model_says(
    workload: KindsJoin, measured: MeasuredJoin
) -> None:
    # Each text is looked up once when it comes, in as many partitions as it is kept in.
    texts = 2 * (workload.join.rows - ROWS)
    assert 0 <= measured.evaluated(variants.ORACLE) - 0.97 * kinds.optimum(workload.kinds) <= texts
    assert measured.evaluated(variants.ORACLE) < 0.75 * measured.evaluated(A_GREEDY)


@pytest.mark.parametrize(
    "conf", [{"spark.streamon.enabled": "false"}, {"spark.streamon.join.caching": "prefix"}]
)
def test_another_plan_than_it_should_be_stops_the_bench(
    spark: SparkSession, workload: KindsJoin, tmp_path: Path, conf: dict[str, str]
) -> None:
    mesh = next(v for v in workload.join.variants if v.name == QUERY_MESH)
    runner = Runner(spark, tmp_path)
    variants.check(runner, workload.join, mesh)
    with pytest.raises(UnexpectedPlanError, match="should be in this plan"):
        variants.check(runner, workload.join, replace(mesh, conf={**mesh.conf, **conf}))
