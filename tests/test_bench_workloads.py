"""The bench's data is what its workloads say it is, and is made once."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Predicate, Workload
from streamon_lab.bench.filters.workloads import correlated, families, flip, integers
from streamon_lab.samples.flights import FLIGHTS, write_months

TINY = Sizes(
    flight_copies=1,
    dear_flight_copies=1,
    tpch_scale=0.001,
    correlated_rows=4_000,
    flip_rows=4_000,
    integer_rows=4_000,
)


@pytest.fixture(scope="module")
def workloads(tmp_path_factory: pytest.TempPathFactory) -> list[Workload]:
    root = tmp_path_factory.mktemp("bench-data")
    return [w for family in families(root, TINY) for w in family.make()]


def test_the_names_are_those_of_the_workloads(workloads: list[Workload], tmp_path: Path) -> None:
    assert [w.name for w in workloads] == [n for family in families(tmp_path, TINY) for n in family.names]


def test_spark_gives_one_answer_for_every_order_and_from_the_segments(
    spark: SparkSession, workloads: list[Workload]
) -> None:
    spark.conf.set("spark.streamon.enabled", "false")
    try:
        for workload in workloads:
            written = tuple(range(len(workload.predicates)))
            answers = {tuple(spark.sql(workload.query(o)).first()) for o in (written, written[::-1])}
            assert len(answers) == 1
            assert (
                tuple(spark.sql(workload.segmented_query([written] * len(workload.segments))).first())
                in answers
            )
            passing = answers.pop()[0]
            assert passing < spark.read.parquet(str(workload.table)).count()
    finally:
        spark.conf.unset("spark.streamon.enabled")


def test_the_adaptive_filter_has_the_workloads_predicates_as_its_conjuncts(
    spark: SparkSession, workloads: list[Workload]
) -> None:
    from streamon_lab.bench.filters.adaptive import HINT, last_execution

    for workload in workloads:
        reverse = tuple(range(len(workload.predicates)))[::-1]
        spark.sql(workload.query(reverse, HINT)).collect()
        counted = last_execution(spark, reverse)
        assert sorted(counted.position) == sorted(reverse), workload.name
        assert len(counted.evaluations) == len(workload.predicates)


def test_data_is_made_once_and_never_half(tmp_path: Path) -> None:
    made: list[Path] = []

    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise OSError("disk full")

    def succeed(folder: Path) -> None:
        made.append(folder)
        (folder / "whole").touch()

    with pytest.raises(OSError, match="disk full"):
        cached(tmp_path, "set", fail)
    for _ in range(2):
        assert [p.name for p in cached(tmp_path, "set", succeed).iterdir()] == ["whole"]
    assert len(made) == 1


def test_the_same_seed_gives_the_same_data(tmp_path: Path) -> None:
    for module, rows in ((correlated, 3_000), (flip, 3_000), (integers, 3_000)):
        for name in ("one", "two"):
            (tmp_path / module.__name__ / name).mkdir(parents=True)
            module.generate(tmp_path / module.__name__ / name, rows)
        one, two = (
            [pq.read_table(p) for p in sorted((tmp_path / module.__name__ / name).rglob("*.parquet"))]
            for name in ("one", "two")
        )
        assert one == two
        assert one


def test_correlated_predicates_agree_and_c_rejects_what_they_pass() -> None:
    passes = correlated.flags(np.random.default_rng(1), 200_000)
    assert np.mean(passes["a1"]) == pytest.approx(0.40, abs=0.01)
    assert np.mean(passes["a1"] == passes["a4"]) == pytest.approx(0.80, abs=0.01)
    assert np.mean(passes["c"]) == pytest.approx(0.59, abs=0.01)
    assert np.mean(passes["c"][passes["a1"] & passes["a2"]]) < 0.2


def test_the_flip_turns_round_in_the_middle_of_each_file(tmp_path: Path) -> None:
    flip.generate(tmp_path, 40_000)
    rate = "avg((p LIKE '%st7')::INT)"
    for file in range(flip.FILES):
        halves = [
            duckdb.sql(f"SELECT {rate} FROM '{tmp_path}/{part}/{file}.parquet'").fetchall()[0][0]
            for part in ("before", "after")
        ]
        assert halves == pytest.approx([0.05, 0.95], abs=0.01)
        whole = pq.read_table(tmp_path / "whole" / f"{file}.parquet")
        assert whole.slice(0, 10_000) == pq.read_table(tmp_path / "before" / f"{file}.parquet")


def test_flights_come_month_by_month_with_text_and_json(tmp_path: Path) -> None:
    files = write_months(tmp_path)
    assert len(files) == 12
    assert sum(pq.read_metadata(f).num_rows for f in files) == FLIGHTS
    months = duckdb.sql(f"SELECT DISTINCT month FROM '{files[6]}'").fetchall()
    assert months == [(7,)]
    text, json = duckdb.sql(f"SELECT txt, js->>'$.route.to' FROM '{files[0]}' LIMIT 1").fetchall()[0]
    assert text.startswith("2013-01-01 UA1545 N14228 EWR-IAH United Air Lines Inc. BOEING 737-824")
    assert json == "IAH"


def test_columns_are_found_outside_of_literals_alone(tmp_path: Path) -> None:
    predicate = Predicate("x", "a > 1 AND b = 'c' AND abc < 2")
    workload = Workload("w", "", (predicate,), tmp_path, columns=("a", "b", "c", "bc"))
    assert workload.columns_of([predicate]) == ["a", "b"]
