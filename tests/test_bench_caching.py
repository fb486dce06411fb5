"""The caching bench: its data, one small run of every plan, and what is made of the runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.caching import markdown, points, report, variants
from streamon_lab.bench.caching.sizes import CachingSizes
from streamon_lab.bench.caching.summary import burst_ratio, gain, summary
from streamon_lab.bench.caching.workloads import families, workloads
from streamon_lab.bench.measure import Timings
from streamon_lab.bench.streaming.bench import Measured, measure
from streamon_lab.bench.streaming.run import Answer, JoinRun
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

TINY = CachingSizes(rows=2_000, short=0.5, windows=(100,), files=2)


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JoinWorkload]:
    return {w.name: w for w in workloads(tmp_path_factory.mktemp("caching-data"), TINY)}


def test_the_names_are_those_of_the_workloads(all_of_them: dict[str, JoinWorkload], tmp_path: Path) -> None:
    assert list(all_of_them) == [name for family in families(tmp_path, TINY) for name in family.names]


def test_a_longer_run_beside_each_shorter_one(all_of_them: dict[str, JoinWorkload]) -> None:
    pairs = [name for name in all_of_them if name + "-short" in all_of_them]
    assert pairs == ["rst", "memory", "chain-4", "rst-unique", "one-key-4", "range-100"]
    for name in pairs:
        short, long = all_of_them[name + "-short"], all_of_them[name]
        assert short.rows < long.rows
        assert short.files == long.files == TINY.files


def test_r_comes_at_twenty_times_its_rate_in_the_second_third(all_of_them: dict[str, JoinWorkload]) -> None:
    counts = [
        len(file.read_text().splitlines()) for file in sorted((all_of_them["burst"].folder / "r").iterdir())
    ]
    third = len(counts) // 3
    assert third == 3
    calm, burst, calm_again = sum(counts[:third]), sum(counts[third : 2 * third]), sum(counts[2 * third :])
    assert burst == 20 * calm == 20 * calm_again


@pytest.mark.parametrize("point", points.ALL, ids=lambda point: point.name)
def test_pairs_of_a_point_meet_as_often_as_the_thesis_says(point: points.Point) -> None:
    rows = int(sum(point.rates) * 4 * points.WINDOW)
    rng = np.random.default_rng(7)
    values = [stream["k"] for stream in point.streams(rng, rows).values()]
    assert [len(v) for v in values] == point.rows(rows)
    for (i, j), selectivity in zip(points.PAIRS, point.selectivities, strict=True):
        kinds = [dict(zip(*np.unique(values[k], return_counts=True), strict=True)) for k in (i, j)]
        met = sum(count * kinds[1].get(value, 0) for value, count in kinds[0].items())
        # In four times the rows of the lab's windows a row meets a fourth of them.
        assert met / len(values[i]) / len(values[j]) == pytest.approx(selectivity / 4, rel=0.25, abs=1e-12)


def test_plans_give_equal_answers_and_forced_caches_are_hit(
    spark: SparkSession, all_of_them: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    compared = (variants.PLAIN, variants.GLOBAL, *variants.STATIC)
    burst = all_of_them["burst"]
    workload = replace(burst, variants=compared)
    measured = measure(Runner(spark, tmp_path / "checkpoints"), workload, 1, lambda _: None)
    answers = {run.answer for runs in measured.runs.values() for run in runs}
    assert len(answers) == 1
    for forced in variants.STATIC:
        assert measured.runs[forced.name][0].cache_hits > 0
    assert measured.runs[variants.PLAIN.name][0].cache_hits == 0
    result = report.as_json([measured], {"spark_cores": 2}, {"rounds": 1})
    assert json.loads(json.dumps(result)) == result


def test_a_tree_of_joins_gives_the_same(
    spark: SparkSession, all_of_them: dict[str, JoinWorkload], tmp_path: Path
) -> None:
    for name in ("rst-unique", "one-key-4", "range-100"):
        workload = replace(all_of_them[name], variants=(variants.PLAIN, variants.TREE))
        measured = measure(Runner(spark, tmp_path / name), workload, 1, lambda _: None)
        whole, tree = (measured.runs[v.name][0] for v in workload.variants)
        assert whole.answer == tree.answer
        assert whole.answer.results > 0
        assert whole.state is not None
        assert tree.state is not None
        assert tree.state.rows > whole.state.rows, "the results of the joins below are kept"


def measured_as(name: str, rows: int, *seconds: tuple[Variant, float]) -> Measured:
    """What a run of these times would give."""
    workload = JoinWorkload(name, name, (), "", (), Path(), 1, rows, tuple(v for v, _ in seconds))
    runs = {v.name: [JoinRun(s, s, Answer(0, 0))] for v, s in seconds}
    timings = {v.name: Timings([s], [s]) for v, s in seconds}
    return Measured(workload, timings, runs, {})


def test_the_figures() -> None:
    plain, prefix, world = variants.PLAIN, variants.PREFIX, variants.GLOBAL
    again = variants.PLAIN_AGAIN
    found = [
        measured_as("rst-short", 1_000, (plain, 2.0), (again, 2.2), (prefix, 2.0), (world, 2.0)),
        measured_as("rst", 2_000, (plain, 4.0), (again, 4.3), (prefix, 3.0), (world, 3.5)),
        measured_as("range-9-short", 1_000, (plain, 2.0), (again, 2.1), (prefix, 2.0)),
        measured_as("range-9", 2_000, (plain, 4.0), (again, 3.6), (prefix, 1.9)),
        measured_as("range-99-short", 1_000, (plain, 2.0), (again, 2.0), (prefix, 2.0)),
        measured_as("range-99", 2_000, (plain, 4.0), (again, 6.1), (prefix, 3.0)),
        measured_as("one-key-4", 1_000, (plain, 2.0), (again, 2.05), (prefix, 2.1), (world, 1.9)),
        measured_as("burst", 1_000, (plain, 9.0), (variants.RS, 6.0), (variants.ST, 5.0), (world, 4.0)),
    ]
    by_name = {m.workload.name: m for m in found}
    assert gain(by_name, "rst", prefix.name) == pytest.approx(2.0)
    assert gain(by_name, "range-9", prefix.name) == pytest.approx(4.0), "no less than noise lets it be"
    assert gain(by_name, "range-99", prefix.name) is None, "all is noise"
    assert burst_ratio(by_name["burst"]) == pytest.approx(1.25)
    figures = summary(found)
    assert figures["gain_where_pays"] == pytest.approx(2.0)
    assert figures["worst_ratio"] == figures["worst_cpu_ratio"] == pytest.approx(0.952)
    assert figures["worst_ratio_of_control"] == pytest.approx(0.976)
    assert figures["nested_loop_gain_by_window"] == [pytest.approx(4.0), None]
    assert figures["nested_loop_gain"] is None


def test_the_page_has_the_method_and_every_plan() -> None:
    plain = measured_as("rst", 2_000, (variants.PLAIN, 4.0), (variants.PREFIX, 3.0))
    environment = {
        **{"spark_cores": 2, "spark": "4.2.0", "java": "17", "system": "Linux"},
        **{"machine_cores": 2, "load_average_at_start": 0.1},
    }
    result = json.loads(json.dumps(report.as_json([plain], environment, {"rounds": 3})))
    text = markdown.as_markdown(result, "caching.json")
    assert "the same numbers for machines are in `caching.json`" in text
    assert "(`local[2]`)" in text
    assert "3 rounds" in text
    assert "Spark 4.2.0, Java 17, Linux, 2 cores" in text
    assert "| rst, 2,000 rows | MJoin | 4.00 | 4.00 | 1.00 |" in text
    assert "|  | prefix caches | 3.00 | 3.00 | 1.33 |" in text
    assert "| `gain_where_pays` | not measured |" in text
