"""The join bench: its data, its checksum, and one small run of every engine."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from streams_in_duckdb import read_by_duckdb

from streamon_lab.bench.joins import report
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.joins.variants import BATCH, FLINK, FLINK_BINARY, FLINK_CHECKPOINTED
from streamon_lab.bench.joins.workloads import drift, families, nexmark, one_key, windowed
from streamon_lab.bench.measure import DifferentAnswersError
from streamon_lab.bench.streaming import checksum, flink
from streamon_lab.bench.streaming.bench import measure
from streamon_lab.bench.streaming.run import Answer, JoinRun, UnexpectedRunError
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import CHAINS, MJOIN, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

TINY = JoinSizes(
    keys={3: 40, 5: 40, 8: 20},
    long_keys={3: 80, 5: 60},
    growing_keys=(10, 20, 40),
    different_keys_rows=60,
    nexmark_events=2_000,
    drift_rows=400,
    files=2,
)
CHECKED = {
    "3-way": (CHAINS[1], MJOIN, BATCH),
    "rst": (MJOIN, BATCH),
    "clique-4": (MJOIN, BATCH),
    "nexmark-q23": (MJOIN, BATCH),
    "drift": (MJOIN,),
}


@pytest.fixture(scope="module")
def workloads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JoinWorkload]:
    root = tmp_path_factory.mktemp("join-data")
    return {w.name: w for family in families(root, TINY) for w in family.make()}


def test_the_names_are_those_of_the_workloads(workloads: dict[str, JoinWorkload], tmp_path: Path) -> None:
    assert list(workloads) == [name for family in families(tmp_path, TINY) for name in family.names]


def test_every_engine_gives_the_answer_of_another_database(
    spark: SparkSession, workloads: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    runner = Runner(spark, tmp_path / "checkpoints")
    for name, engines in CHECKED.items():
        workload = workloads[name]
        rows = read_by_duckdb(workload).execute(workload.query).fetchall()
        assert rows
        expected = Answer(len(rows), checksum.of(rows))
        for variant in engines:
            assert runner.run(workload, variant).answer == expected, (name, variant.name)
    assert not list((tmp_path / "checkpoints").iterdir())


def reported(spark: SparkSession, workload: JoinWorkload, checkpoints: Path) -> dict[str, Any]:
    """What is reported of a workload that has been measured once."""
    measured = measure(Runner(spark, checkpoints), workload, 1, lambda _: None)
    [entry] = report.as_json([measured], {}, {})["workloads"]
    return dict(entry)


def test_a_workload_is_measured_and_reported(
    spark: SparkSession, workloads: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    workload = replace(workloads["3-way"], variants=(CHAINS[1], MJOIN, BATCH))
    entry = reported(spark, workload, tmp_path)
    assert entry["micro_batches"] == 2
    assert entry["best_stock"] == CHAINS[1].name
    chain, mjoin, batch = entry["engines"]
    assert mjoin["state_rows"] == entry["rows"] == workload.rows
    assert chain["state_rows"] > mjoin["state_rows"]
    assert mjoin["state_files"] > 0
    assert mjoin["state_bytes"] > 0
    assert mjoin["probes"] > 0
    assert "state_rows" not in batch


def test_rows_that_expire_are_counted_as_the_micro_batches_leave_them(
    spark: SparkSession, workloads: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    workload = replace(workloads["3-way-windowed"], variants=(CHAINS[1], MJOIN, BATCH))
    entry = reported(spark, workload, tmp_path)
    assert entry["results"] > 0
    chain, mjoin, _ = entry["engines"]
    assert 0 < mjoin["state_rows"] < workload.rows
    assert mjoin["state_rows"] < chain["state_rows"] < workload.rows


def test_replicas_are_no_rows_of_the_state(
    spark: SparkSession, workloads: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    state = Runner(spark, tmp_path).run(workloads["rst"], MJOIN).state
    assert state is not None
    assert state.rows == workloads["rst"].rows
    assert state.replicas > 0


def test_a_run_with_other_operators_is_no_run(
    spark: SparkSession, workloads: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    unwanted = replace(MJOIN, conf={**MJOIN.conf, "spark.streamon.enabled": "false"})
    with pytest.raises(UnexpectedRunError, match="stateful operators"):
        Runner(spark, tmp_path).run(workloads["3-way"], unwanted)


def test_one_other_row_in_the_results_stops_the_bench(workloads: dict[str, JoinWorkload]) -> None:
    class Wrong(Runner):
        def __init__(self) -> None:
            self.runs = 0

        def warm_up(self, _workload: JoinWorkload, _variant: Variant) -> JoinRun:
            self.runs += 1
            return JoinRun(1.0, 1.0, Answer(10, 7 if self.runs == 1 else 8))

    with pytest.raises(DifferentAnswersError):
        measure(Wrong(), workloads["3-way"], 1, lambda _: None)


rows_of_numbers = st.lists(st.tuples(*[st.integers(0, 2**31 - 2)] * 3), min_size=1, max_size=8)


@settings(deadline=None)
@given(rows_of_numbers)
def test_sql_draws_the_same_checksum(rows: list[tuple[int, ...]]) -> None:
    values = ", ".join(f"({a}::BIGINT, {b}::BIGINT, {c}::BIGINT)" for a, b, c in rows)
    query = f"SELECT sum({checksum.expression(['a', 'b', 'c'])}) FROM (VALUES {values}) t(a, b, c)"
    assert duckdb.sql(query).fetchall() == [(checksum.of(rows),)]


def test_the_checksum_sees_values_that_change_places_and_no_order() -> None:
    rows = [(1, 10, 5), (2, 20, 5)]
    assert checksum.of(rows) == checksum.of(rows[::-1])
    assert checksum.of(rows) != checksum.of([(1, 20, 5), (2, 10, 5)])
    assert checksum.of(rows) != checksum.of([*rows, *rows])


SERVICE = """
import json, sys
def timed(request):
    found = {"seconds": 1.5, "checkpoints": 0}
    if "checkpoint_millis" in request:
        found["checkpoints"] = int(1000 / request["checkpoint_millis"])
    return found
print("noise")
print('ANSWER {"version": "2.3.0"}', flush=True)
for line in sys.stdin:
    request = json.loads(line)
    assert request["conf"]["state.backend.type"] == "hashmap"
    if request["parallelism"] == 1:
        sys.exit(3)
    answers = {"explain": {"plan": PLAN}, "check": {"results": 4, "checksum": 5}, "time": timed(request)}
    print("ANSWER " + json.dumps(answers[request["do"]]), flush=True)
"""


@pytest.mark.parametrize(("plan", "cores"), [("MultiJoin(k)", 2), ("Join(k)", 2), ("", 1)])
@pytest.mark.parametrize("variant", [FLINK, FLINK_BINARY], ids=lambda variant: variant.name)
def test_flink_is_asked_for_its_plan_then_for_an_answer_and_then_for_a_time(
    workloads: dict[str, JoinWorkload],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variant: Variant,
    plan: str,
    cores: int,
) -> None:
    service = tmp_path / "service.py"
    service.write_text(SERVICE.replace("PLAN", repr(plan)))
    monkeypatch.setattr(flink, "SERVICE", service)
    with flink.Flink(Path(sys.executable), cores) as asked:
        assert asked.version == "2.3.0"
        if cores == 1:
            with pytest.raises(flink.FlinkError, match="or ended"):
                asked.explain(workloads["3-way"], variant)
        elif plan.startswith("MultiJoin") == (variant is FLINK):
            asked.explain(workloads["3-way"], variant)
            assert asked.warm_up(workloads["3-way"], variant).answer == Answer(4, 5)
            assert asked.run(workloads["3-way"], variant) == JoinRun(1.5, 0.0, Answer(4, 5))
        else:
            with pytest.raises(UnexpectedRunError, match="MultiJoin"):
                asked.explain(workloads["3-way"], variant)


def test_flink_makes_a_checkpoint_for_each_micro_batch(
    workloads: dict[str, JoinWorkload], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = tmp_path / "service.py"
    service.write_text(SERVICE.replace("PLAN", "''"))
    monkeypatch.setattr(flink, "SERVICE", service)
    workload = replace(workloads["3-way"], files=20)
    with flink.Flink(Path(sys.executable), 2) as asked:
        asked.warm_up(workload, FLINK_CHECKPOINTED)
        assert asked.run(workload, FLINK_CHECKPOINTED).checkpoints >= 20


def test_the_same_seed_gives_the_same_streams(tmp_path: Path) -> None:
    for name in ("one", "two"):
        one_key.generate(tmp_path / name / "k", 2, 30, 2)
        nexmark.generate(tmp_path / name / "n", 300, 2)
        drift.generate(tmp_path / name / "d", 60, 2)
        windowed.generate(tmp_path / name / "w", 30, 2)
    one, two = (
        {f.relative_to(tmp_path / name): f.read_bytes() for f in (tmp_path / name).rglob("*.csv")}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 2 * (2 + 3 + 6 + 3)


def test_streams_have_the_rows_that_they_say_in_files_ordered_by_time(
    workloads: dict[str, JoinWorkload],
) -> None:
    for workload in workloads.values():
        lines = 0
        for stream in workload.streams:
            files = sorted((workload.folder / stream.name).iterdir())
            assert len(files) == workload.files
            times = [f.stat().st_mtime for f in files]
            assert times == sorted(set(times))
            lines += sum(len(f.read_text().splitlines()) for f in files)
        assert lines == workload.rows, workload.name


def test_nexmarks_people_are_hot_in_three_of_four_events() -> None:
    events = np.arange(500_000)
    found = nexmark.people(np.random.default_rng(1), events, 1) - nexmark.FIRST_PERSON
    last = events // nexmark.EPOCH
    hot = found == last // 100 * 100 + 1
    assert np.mean(hot) == pytest.approx(0.75, abs=0.01)
    assert (found >= np.maximum(last - 999, 0)).all()
    assert (found <= last + nexmark.LEAD).all()


def test_the_drift_turns_round_half_way(tmp_path: Path) -> None:
    drift.generate(tmp_path / "d", 20_000, 2)
    [workload] = drift.workloads(tmp_path, replace(TINY, drift_rows=20_000))
    connection = read_by_duckdb(workload)
    for text, rates in ((1, (0.1, 0.9)), (2, (0.6, 0.6)), (4, (0.9, 0.1))):
        for asking in drift.ASKING:
            found = connection.execute(
                f"SELECT avg(contains(t.text, q.w{text})::INT) FROM s{asking} q JOIN s{text} t ON q.k = t.k "
                "WHERE id > 0 GROUP BY id > 10000 ORDER BY id > 10000"
            ).fetchall()
            assert [rate for (rate,) in found] == pytest.approx(rates, abs=0.05)
    for asking, shares in ((0, (0.9, 0.1)), (5, (0.1, 0.9))):
        [(first, then)] = connection.execute(
            f"SELECT count(*) FILTER (id <= 10000), count(*) FILTER (id > 10000) FROM s{asking} WHERE id > 0"
        ).fetchall()
        assert (first / 10000, then / 10000) == pytest.approx(shares, abs=0.05)


def test_the_best_fixed_orders_have_the_two_that_turn_round_first(workloads: dict[str, JoinWorkload]) -> None:
    orders = [v.conf["spark.streamon.join.forcedOrder"] for v in workloads["drift"].variants[2:]]
    assert orders == ["1,4,2,3,0,5", "4,1,3,2,0,5", "2,3,1,4,0,5"]
    assert drift.probes((1, 4, 2, 3)) == pytest.approx((1 + 0.1 + 0.09 + 0.054 + 1 + 0.9 + 0.09 + 0.054) / 2)
