"""The bench of constraints: that its data keep them, one small run of the modes, what is made of the runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.constraints import markdown, report, variants
from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.summary import (
    TARGETS,
    ExtraResultsError,
    missed,
    ratio,
    rows_in_memory,
    summary,
)
from streamon_lab.bench.constraints.workloads import (
    SEEDS,
    changing,
    families,
    linear_road,
    network,
    nothing,
    road,
)
from streamon_lab.bench.constraints.workloads.streams import Columns
from streamon_lab.bench.measure import DifferentAnswersError, Timings, interleaved
from streamon_lab.bench.streaming import checksum
from streamon_lab.bench.streaming.bench import Measured, measure
from streamon_lab.bench.streaming.run import Answer, JoinRun, Kept
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import COUNT_ROWS, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload
from streamon_lab.bench.targets import judged

TINY = ConstraintSizes(
    window_rows=600,
    window_batches=2,
    windows=1.6,
    cars=200,
    cars_per_second=0.1,
    road_files=3,
    nothing_rows=200,
    changing_rows=800,
    files=2,
)


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JoinWorkload]:
    root = tmp_path_factory.mktemp("constraint-data")
    return {w.name: w for family in families(root, TINY) for w in family.make()}


def test_the_names_are_those_of_the_workloads(all_of_them: dict[str, JoinWorkload], tmp_path: Path) -> None:
    assert list(all_of_them) == [name for family in families(tmp_path, TINY) for name in family.names]


def join_distances(parent: Columns, child: Columns, key: str) -> np.ndarray:
    """Of each row of the parent that has a child, the thesis's join distance (Section 6.3.1)."""
    order = np.argsort(child["ts"], kind="stable")
    place = {value: n for n, value in enumerate(child[key][order])}
    before = np.searchsorted(child["ts"][order], parent["ts"], side="right")
    found = [place[value] + 1 - n for value, n in zip(parent[key], before, strict=True) if value in place]
    return np.maximum(found, 0)


def is_unique(columns: Columns, key: str) -> bool:
    return len(np.unique(columns[key])) == len(columns[key])


def test_packets_are_once_on_a_link_and_not_long_between_two() -> None:
    links = network.packets(30_000, 20)
    assert all(is_unique(link, "pid") for link in links.values())
    assert [len(link["pid"]) for link in links.values()] == [30_000, 3_000, 3_000]
    assert set(links["o"]["pid"]) == set(links["b"]["pid"]) <= set(links["c"]["pid"])
    to_backbone = join_distances(links["c"], links["b"], "pid")
    to_outgoing = join_distances(links["b"], links["o"], "pid")
    assert 0 < to_backbone.max() <= network.TO_BACKBONE
    assert 0 < to_outgoing.max() <= network.TO_OUTGOING
    assert join_distances(links["b"], links["c"], "pid").max() == 0


@pytest.mark.parametrize("query", linear_road.QUERIES, ids=lambda query: query.name)
def test_what_a_report_meets_is_there_before_it_and_once(query: linear_road.Query) -> None:
    streams = query.data(road.reports(600, 0.3))
    assert set(streams) == set(query.schemas)
    for child, key in query.on.items():
        assert f"UNIQUE({child}, {key})" in query.hints
        assert is_unique(streams[child], key)
        distances = join_distances(streams["r"], streams[child], key)
        assert len(distances) > 0
        assert distances.max() == 0
        parent, child_times = streams["r"], dict(zip(streams[child][key], streams[child]["ts"], strict=True))
        met = [
            ts - child_times[k] for k, ts in zip(parent[key], parent["ts"], strict=True) if k in child_times
        ]
        assert max(met) < query.minutes * 60_000, "nothing meets its own too late"


def test_reports_have_numbers_of_their_own_and_few_stand() -> None:
    reports = road.reports(3_000, 3.0)
    assert len(np.unique(reports.rid)) == len(reports.rid)
    assert reports.first.sum() == len(np.unique(reports.cid))
    standing = len(np.unique(reports.cid[reports.stands])) / reports.first.sum()
    assert 0.001 < standing < 2 * road.STOPS
    assert reports.second.max() < 1_000


@pytest.mark.parametrize("shape", changing.SHAPES)
def test_the_distance_is_as_it_was_asked_for(shape: str) -> None:
    rows = 8_000
    streams = changing.chain(shape, rows)
    assert is_unique(streams["c"], "k")
    assert is_unique(streams["b"], "k")
    place = {key: n for n, key in enumerate(streams["b"]["k"])}
    of_child = {
        place[k]: ts for k, ts in zip(streams["c"]["k"], streams["c"]["ts"], strict=True) if k in place
    }
    assert len(of_child) == rows
    distance = np.array([n - of_child[n] // changing.GAP for n in range(rows)])
    allowed = changing.ks(shape, rows)
    assert (distance >= 0).all()
    assert (distance <= allowed).all()
    late = slice(rows * 9 // 10, rows)
    assert distance[late].max() > 0.9 * allowed[late].min(), "the bound is reached"
    first, last = allowed[0], allowed[-1]
    expected = {
        "flat": first == last,
        "rising": first < last,
        "falling": first > last,
        "jumping": first < last,
    }
    assert expected[shape]


def test_nothing_is_obeyed_by_keys_at_random() -> None:
    streams = nothing.keys(2_000)
    for columns in streams.values():
        assert not is_unique(columns, "k")
        assert (np.diff(columns["k"]) < 0).mean() == pytest.approx(0.5, abs=0.05)
    assert join_distances(streams["s0"], streams["s1"], "k").max() > 1_000


def test_the_same_seed_gives_the_same_streams() -> None:
    def drawn() -> Mapping[str, Mapping[str, Columns]]:
        roads = {q.name: q.data(road.reports(100, 0.3)) for q in linear_road.QUERIES}
        return {"n": network.packets(600, 10), "k": changing.chain("rising", 100), **roads}

    one, two = drawn(), drawn()
    for family, streams in one.items():
        for name, columns in streams.items():
            for column, values in columns.items():
                assert (values == two[family][name][column]).all()


def test_no_row_is_late_in_its_file(all_of_them: dict[str, JoinWorkload]) -> None:
    for workload in all_of_them.values():
        assert workload.name.startswith(tuple(SEEDS))
        assert 0 < workload.growing < workload.files, workload.name
        latest = -1
        for number in range(workload.files):
            times = [
                int(line.rsplit(",", 1)[1])
                for stream in workload.streams
                for line in (workload.folder / stream.name / f"part-{number:03d}.csv")
                .read_text()
                .splitlines()
            ]
            assert min(times) > latest, workload.name
            latest = max(times)


def expected(workload: JoinWorkload) -> Answer:
    """The answer of another database."""
    connection = duckdb.connect()
    for stream in workload.streams:
        names = [column.split()[0] for column in stream.columns.split(", ")]
        connection.execute(
            f"CREATE TABLE {stream.name} AS SELECT *, make_timestamp(ts * 1000) AS t FROM read_csv("
            f"'{workload.folder / stream.name}/*.csv', header=false, names={names}, delim=',')"
        )
    rows = connection.execute(workload.query).fetchall()
    return Answer(len(rows), checksum.of(rows))


@pytest.mark.parametrize(
    ("name", "compared"),
    [
        ("network", (variants.CHAIN, variants.OFF, variants.EXACT, variants.APPROXIMATE)),
        ("linear-road-AccSeg", (variants.OFF, variants.EXACT, variants.APPROXIMATE)),
        ("obeys-nothing", (variants.OFF, variants.OBSERVE)),
        ("k-rising", variants.DETECTED),
    ],
)
def test_modes_give_the_answer_of_another_database(
    spark: SparkSession,
    all_of_them: dict[str, JoinWorkload],
    tmp_path: Path,
    name: str,
    compared: tuple[Variant, ...],
) -> None:
    workload = replace(all_of_them[name], variants=compared)
    measured = measure(Runner(spark, tmp_path / "checkpoints"), workload, 1, lambda _: None)
    answer = expected(workload)
    assert answer.results > 0
    for variant in compared:
        [run] = measured.runs[variant.name]
        learned = variant.loses and name == "k-rising"
        assert run.answer.results <= answer.results if learned else run.answer == answer
        assert len(run.kept) == workload.files
    result = report.as_json([measured], {"spark_cores": 2}, {"rounds": 1})
    assert json.loads(json.dumps(result)) == result
    [entry] = result["workloads"]
    for mode in entry["modes"]:
        assert mode["state_rows"] > 0
        assert mode.get("steady_bytes", 1) > 0


def kept(*bytes_: int, cold: int = 0) -> tuple[Kept, ...]:
    return tuple(Kept(rows=b // 10, bytes=b, constraint_bytes=b // 100, cold=cold) for b in bytes_)


def measured_as(
    name: str, *found: tuple[Variant, float, int, tuple[Kept, ...]], growing: int = 1
) -> Measured:
    """What runs of these times, results and memory would give; processor time is the square."""
    modes = tuple(v for v, *_ in found)
    workload = JoinWorkload(name, name, (), "", (), Path(), 3, 1_000, modes, growing)
    runs = {v.name: [JoinRun(s, s * s, Answer(n, 0), kept=k)] for v, s, n, k in found}
    return Measured(workload, {v.name: Timings([s], [s * s]) for v, s, *_ in found}, runs, {})


OFF, AGAIN, OBSERVE = variants.OFF, variants.OFF_AGAIN, variants.OBSERVE
EXACT, APPROXIMATE = variants.EXACT, variants.APPROXIMATE


def all_measured() -> list[Measured]:
    full = kept(500, 1_000, 1_000)
    return [
        measured_as(
            "network",
            (OFF, 4.0, 50, full),
            (EXACT, 5.0, 50, kept(100, 60, 40)),
            (APPROXIMATE, 4.0, 50, kept(30, 8, 12)),
        ),
        measured_as("network-detected", (OFF, 4.0, 50, full), (APPROXIMATE, 4.0, 50, full)),
        measured_as(
            "linear-road-A",
            (OFF, 4.0, 9, full),
            (EXACT, 4.8, 9, kept(0, 200, 200)),
            (APPROXIMATE, 3.0, 9, kept(0, 100, 100)),
        ),
        measured_as(
            "linear-road-B",
            (OFF, 4.0, 9, full),
            (EXACT, 4.0, 9, kept(0, 90, 90)),
            (APPROXIMATE, 3.6, 9, kept(0, 50, 50)),
        ),
        measured_as(
            "obeys-nothing",
            (OFF, 4.0, 9, full),
            (AGAIN, 4.4, 9, full),
            (OBSERVE, 4.1, 9, kept(0, 1_020, 1_020)),
        ),
        measured_as("k-flat", (OFF, 4.0, 200, full), (EXACT, 4.0, 200, full), (APPROXIMATE, 4.0, 200, full)),
        measured_as(
            "k-rising", (OFF, 4.0, 200, full), (EXACT, 4.0, 200, full), (APPROXIMATE, 4.0, 197, full)
        ),
    ]


def test_the_figures() -> None:
    figures = summary(all_measured())
    assert figures == {
        "network_memory_ratio": 0.01,
        "network_peak_ratio": 0.03,
        "network_exact_memory_ratio": 0.05,
        "linear_road_memory_ratio": 0.1,
        "linear_road_time_ratio": 0.9,
        "linear_road_cpu_ratio": 0.81,
        "linear_road_exact_memory_ratio": 0.2,
        "linear_road_exact_time_ratio": 1.2,
        "observe_overhead": 1.025,
        "observe_cpu_overhead": pytest.approx(1.0506),
        "observe_memory_ratio": 1.02,
        "missed_share_worst": 0.015,
        "missed_exact": 0,
        "noise_floor": pytest.approx(0.1),
        "cpu_noise_floor": pytest.approx(0.21),
    }
    met = {name: yes for name, _, _, yes in judged(figures, TARGETS) if yes is not None}
    assert set(met) == set(TARGETS)
    assert all(met.values())


def test_what_was_not_measured_has_no_figure() -> None:
    [only] = [m for m in all_measured() if m.workload.name == "obeys-nothing"]
    figures = summary([only])
    assert {name for name, value in figures.items() if value is not None} == {
        "observe_overhead",
        "observe_cpu_overhead",
        "observe_memory_ratio",
        "noise_floor",
        "cpu_noise_floor",
    }


def test_rows_in_the_store_alone_are_not_in_memory() -> None:
    m = measured_as("x", (OFF, 1.0, 1, kept(100, 100)), (EXACT, 1.0, 1, kept(100, 100, cold=9)))
    assert ratio(m, EXACT.name, rows_in_memory) == pytest.approx(0.1)


def test_results_that_there_are_not_stop_the_bench() -> None:
    m = measured_as("k-flat", (OFF, 1.0, 5, kept(1, 1)), (APPROXIMATE, 1.0, 6, kept(1, 1)))
    with pytest.raises(ExtraResultsError):
        missed(m, APPROXIMATE.name)


def test_approximate_may_miss_results_and_exact_may_not() -> None:
    def run(variant: Variant) -> JoinRun:
        return JoinRun(1.0, 1.0, Answer(5 if variant is OFF else 4, 0))

    agrees = {"agrees": lambda variant: not variant.loses}
    assert set(interleaved(run, (APPROXIMATE, OFF), 1, **agrees)) == {APPROXIMATE.name, OFF.name}
    with pytest.raises(DifferentAnswersError):
        interleaved(run, (OFF, EXACT), 1, **agrees)


def test_only_the_chain_has_its_rows_counted_by_the_store() -> None:
    assert [v.name for v in variants.COMPARED if v.conf.get(COUNT_ROWS) == "true"] == [variants.CHAIN.name]


def test_the_page_has_the_method_the_figures_and_every_mode() -> None:
    environment = {
        "spark_cores": 2,
        "spark": "4.2.0",
        "java": "17",
        "system": "Linux",
        "machine_cores": 2,
        "load_average_at_start": 0.1,
    }
    result = report.as_json(all_measured(), environment, {"rounds": 3})
    assert result["method"]["seeds"] == SEEDS
    text = markdown.as_markdown(json.loads(json.dumps(result)), "constraints.json")
    assert "| `network_memory_ratio` | 0.010 | <= 0.01 | yes |" in text
    assert "obeys-nothing 37" in text
    assert "| approximate |" in text
