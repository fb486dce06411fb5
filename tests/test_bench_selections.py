"""The bench of rules: its rules and rows, small runs of every lane, and what is made of the runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import permutations

import numpy as np
import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.selections import bench, markdown, report, variants
from streamon_lab.bench.selections.bench import Measured, measure, rounds_of
from streamon_lab.bench.selections.engines import lanes as engines
from streamon_lab.bench.selections.engines import rule_indexes
from streamon_lab.bench.selections.lane import Done, Lane
from streamon_lab.bench.selections.memory import NoOperatorError, bytes_of_sets
from streamon_lab.bench.selections.rows import HOT_SHARES, Data, rows
from streamon_lab.bench.selections.rules import COLUMNS, HOT, VALUES, Rule, rules, skewed_rules
from streamon_lab.bench.selections.sequences import best_and_worst, rows_alive
from streamon_lab.bench.selections.summary import TARGETS, summary
from streamon_lab.bench.selections.workload import NAMES, OFTEN, RARE, RuleWorkload, workloads
from streamon_lab.bench.stopwatch import Stopwatch


@pytest.mark.parametrize("share", [OFTEN, RARE])
def test_rules_hold_as_often_as_they_should(share: float) -> None:
    for rule in rules(200, share):
        expected = 1.0
        for low, end in rule.ranges.values():
            assert 0 <= low < end <= VALUES
            expected *= (end - low) / VALUES
        assert expected == pytest.approx(share, rel=0.1)
    assert rules(10, share) == rules(200, share)[:10]


def test_every_workload_has_its_name() -> None:
    assert tuple(w.name for w in workloads(1)) == NAMES
    assert len(set(NAMES)) == len(NAMES)


def hot(spark: SparkSession, data: Data, half: int) -> list[float]:
    """How often each column is hot, in one half of each task."""
    count, tasks = 8_000, spark.sparkContext.defaultParallelism
    found = rows(spark, data, count).toPandas()
    part = found[found["id"] % (count // tasks) // (count // tasks // 2) == half]
    return [(part[c] < HOT).mean() for c in COLUMNS]


def test_the_roles_of_columns_swap_half_way(spark: SparkSession) -> None:
    assert hot(spark, Data.SKEWED, 1) == pytest.approx(HOT_SHARES, abs=0.05)
    assert hot(spark, Data.SWAPPED, 0) == pytest.approx(HOT_SHARES[::-1], abs=0.05)
    assert hot(spark, Data.DRIFT, 0) == pytest.approx(HOT_SHARES, abs=0.05)
    assert hot(spark, Data.DRIFT, 1) == pytest.approx(HOT_SHARES[::-1], abs=0.05)


def asked(some: Sequence[Rule], columns: Sequence[str], sample: np.ndarray, order: Sequence[str]) -> float:
    """How many columns a row is asked on average, one row and one rule after the other."""
    total = 0
    for row in sample:
        alive = list(some)
        for column in order:
            if not alive:
                break
            total += 1
            value = row[columns.index(column)]
            alive = [
                r
                for r in alive
                if column not in r.ranges or r.ranges[column][0] <= value < r.ranges[column][1]
            ]
    return total / len(sample)


def test_fixed_sequences_are_the_best_and_the_worst_of_all() -> None:
    rng = np.random.default_rng(3)
    columns = ["x", "y", "z", "w"]
    sample = (rng.random((60, 4)) * [8, 20, 5, 12]).astype(np.int32)
    some = [
        Rule(
            f"r{i}", {c: (low, low + 3) for c in rng.choice(columns[:3], 2, replace=False) for low in [i % 4]}
        )
        for i in range(6)
    ]
    costs = {order: asked(some, columns, sample, order) for order in permutations("xyz")}
    best, worst = best_and_worst(some, columns, sample)
    # No rule compares `w`, so it is in no sequence.
    assert best.asked == pytest.approx(min(costs.values())) == pytest.approx(costs[best.columns])
    assert worst.asked == pytest.approx(max(costs.values())) == pytest.approx(costs[worst.columns])
    assert best.asked < worst.asked


def test_order_matters_to_skewed_rows(spark: SparkSession) -> None:
    frame = rows(spark, Data.SKEWED, 4_000).toPandas()
    best, worst = best_and_worst(skewed_rules(20), COLUMNS, frame[list(COLUMNS)].to_numpy())
    assert worst.asked > 2 * best.asked


def test_a_row_without_a_rule_left_is_dead() -> None:
    some = [Rule("r", {"x": (1, 3)})]
    assert rows_alive(some, ["x"], np.array([[1], [2], [3], [0]], dtype=np.int32)).tolist() == [1, 0.5]


@pytest.mark.parametrize("share", [OFTEN, 1e-9])
def test_all_lanes_find_the_same(spark: SparkSession, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    # Cargo takes a minute, and has a test of its own.
    monkeypatch.setattr(rule_indexes, "available", lambda: False)
    monkeypatch.setattr(bench, "LEAST_WEIGHED", 10)
    found = measure(Stopwatch(spark), RuleWorkload("few", 10, 5_000, share), 1, 2, lambda _: None)
    match = {variants.MATCH, variants.AGAIN, variants.BEST}
    here = {engine for engine, version in engines.versions().items() if version is not None}
    assert set(found.timings) == {variants.SCAN, *match, *variants.STOCK, variants.INDEX_JOIN, *here}
    assert found.fastest_stock in variants.STOCK
    assert found.set_bytes is not None
    assert found.set_bytes > 0
    assert not spark.catalog.tableExists(variants.ROWS)


@pytest.mark.network
@pytest.mark.prove
@pytest.mark.skipif(not rule_indexes.available(), reason="no cargo on the path")
@pytest.mark.parametrize("index", [rule_indexes.A_TREE, rule_indexes.INVERTED])
def test_indexes_of_rules_find_what_holds(index: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    sample = np.random.default_rng(5).integers(0, VALUES, (3_000, len(COLUMNS)), dtype=np.int32)
    some = [*rules(40, OFTEN), Rule("wide", dict.fromkeys(COLUMNS[:6], (5, VALUES - 5)))]
    bounds = [
        (COLUMNS.index(c), r, low, end)
        for r, rule in enumerate(some)
        for c, (low, end) in rule.ranges.items()
    ]
    holds = np.ones((len(sample), len(some)), dtype=bool)
    for column, rule, low, end in bounds:
        holds[:, rule] &= (sample[:, column] >= low) & (sample[:, column] < end)
    found = rule_indexes.run(index, rule_indexes.write(tmp_path, sample, some), 2)()
    assert found.answer == ((holds.sum(), holds.nonzero()[0].sum()),)


def test_slow_lanes_are_not_warmed_up_and_run_in_every_other_round() -> None:
    def runs(rounds: int, *, warms_sparse: bool) -> tuple[list[str], dict[str, Timings]]:
        said: list[str] = []

        def lane(name: str, *, sparse: bool) -> Lane:
            return Lane(name, lambda: said.append(name) or Done(1.0, 1.0, ((0, 0),)), sparse)

        lanes = [lane("fast", sparse=False), lane("slow", sparse=True)]
        return said, interleaved(lambda each: each.run(), lanes, rounds, warms_sparse=warms_sparse)

    said, timings = runs(3, warms_sparse=False)
    assert (said.count("fast"), said.count("slow")) == (4, 2)
    assert {name: len(t.seconds) for name, t in timings.items()} == {"fast": 3, "slow": 2}
    assert runs(1, warms_sparse=False)[0].count("slow") == 1
    assert runs(1, warms_sparse=True)[0].count("slow") == 2


def test_shuffled_rounds_differ_and_are_the_same_in_each_run() -> None:
    def said() -> list[str]:
        names: list[str] = []
        lanes = [
            Lane(name, lambda name=name: names.append(name) or Done(1.0, 1.0, ((0, 0),)))  # type: ignore[misc]
            for name in "abcd"
        ]
        interleaved(lambda each: each.run(), lanes, 3, shuffled=True)
        return names

    rounds = ["".join(said()[k : k + 4]) for k in range(0, 16, 4)]
    assert all(sorted(each) == list("abcd") for each in rounds)
    assert len(set(rounds)) == 4
    assert said() == said()


def test_shared_lanes_share(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "LEAST_SHARED", 1)
    shared = set(variants.SHARED.values())
    twenty = RuleWorkload("twenty", 20, 2_000)
    monkeypatch.setattr(bench.engines, "opened", lambda *_: nullcontext([]))
    assert set(measure(Stopwatch(spark), twenty, 1, 2, lambda _: None).timings) >= shared
    few = RuleWorkload("few", 10, 2_000)
    with pytest.raises(NoOperatorError, match="MatchRules"):
        measure(Stopwatch(spark), few, 1, 2, lambda _: None)


def test_arrays_of_a_thousand_rules_are_measured_once() -> None:
    arrays = {variants.FILTER, variants.UNSTAGED, variants.REMOVE, variants.REMOVE_LIMITED}
    for name, there in (("rules-1000", arrays), ("rare-1000", set()), ("rare-100", arrays)):
        workload = next(w for w in workloads(1_000) if w.name == name)
        found = {v.name for v in variants.stock(workload)}
        assert found & arrays == there
        assert found >= {variants.NESTED, variants.INDEX_JOIN}


def test_a_stream_finds_what_the_batch_finds(spark: SparkSession) -> None:
    few = RuleWorkload("stream", 10, 5_000, streamed=True)
    found = measure(Stopwatch(spark), few, 1, 2, lambda _: None)
    assert set(found.timings) == {variants.MATCH, variants.AGAIN, variants.NESTED, variants.UNSTAGED}
    assert not found.sequences


def test_a_query_without_rules_has_no_memory_of_rules(spark: SparkSession) -> None:
    with pytest.raises(NoOperatorError, match="MatchRules"):
        bytes_of_sets(spark, "SELECT sum(id) FROM range(10)")


def measured(name: str, **seconds: float) -> Measured:
    """A workload with made-up times; `match` takes one second."""
    workload = next(w for w in workloads(1_000) if w.name == name)
    times = {variants.SCAN: 0.5, variants.MATCH: 1.0, variants.AGAIN: 1.1, **seconds}
    timings = {name: Timings([s], [2 * s]) for name, s in times.items()}
    return Measured(workload, timings, set_bytes=2e7 if workload.count == 10_000 else None)


def test_short_runs_have_more_rounds() -> None:
    more = {w.name for w in workloads(1_000) if rounds_of(w, 2) == 8}
    assert more == {"rules-1", "rules-10", "rare-1", "rare-10", "skewed", "swapped", "drift"}
    assert {rounds_of(w, 2) for w in workloads(1_000) if w.name not in more} == {2}


def test_the_summary_has_the_worst_of_the_workloads() -> None:
    found = summary(
        [
            measured(
                "rules-1000",
                **{
                    variants.FILTER: 70.0,
                    variants.UNSTAGED: 62.0,
                    variants.NESTED: 12.0,
                    variants.BEST: 0.9,
                    engines.INVERTED: 0.3,
                },
            ),
            measured("rare-1000", **{variants.FILTER: 65.0, variants.NESTED: 15.0, engines.POLARS: 5.0}),
            measured("rules-100", **{variants.COUNT_IF: 6.0, variants.SHARED[variants.COUNT_IF]: 2.0}),
            measured("rare-100", **{variants.COUNT_IF: 8.0, variants.SHARED[variants.COUNT_IF]: 2.0}),
            measured("rules-10000", match=4.0),
            measured("rare-10000", match=2.0),
        ]
    )
    assert found["speedup_1000"] == 12.0
    assert found["speedup_array_1000"] == 62.0
    assert found["growth_10000"] == 4.0
    assert found["growth_10000_rare"] == 2.0
    assert found["ratio_to_index"] == 1.25
    assert found["memory_per_rule_bytes"] == 2000
    assert found["speedup_polars_1000"] == 5.0
    assert found["speedup_a_tree_1000"] is None
    assert found["speedup_10"] is None
    assert found["speedup_shared_count_if_100"] == 3.0
    assert found["speedup_shared_union_100"] is None
    assert set(TARGETS) <= set(found)


def test_growth_needs_both_workloads_of_a_share() -> None:
    found = summary([measured("rules-1000"), measured("rare-1000"), measured("rare-10000", match=2.0)])
    assert found["growth_10000"] == found["growth_10000_rare"] == 2.0
    assert summary([measured("rules-1000"), measured("rare-10000")])["growth_10000"] is None


def test_the_oracle_of_drift_is_the_best_order_of_each_half() -> None:
    halves = [measured("skewed", **{variants.BEST: 0.8}), measured("swapped", **{variants.BEST: 0.9})]
    found = summary([*halves, measured("drift", match=1.7, **{variants.BEST: 2.0})])
    assert found["order_regret"] == 1.25
    assert found["ratio_to_index"] is None
    assert found["drift_ratio"] == 2.0
    assert found["drift_to_best_fixed"] == 0.85
    assert summary(halves)["drift_ratio"] is None


def test_the_page_has_every_figure_and_every_time() -> None:
    about = {"spark": "4", "java": "17", "system": "x", "machine_cores": 2, "spark_cores": 2}
    engines_here = {engines.POLARS: None, engines.DUCKDB: "2", engines.A_TREE: None}
    result = report.as_json(
        [measured("rules-10", **{variants.UNION: 3.0})],
        {**about, "load_average_at_start": 0.1, "engines": engines_here},
        {"rounds": 1},
    )
    page = markdown.as_markdown(json.loads(json.dumps(result)), "selections.json")
    assert "| `speedup_10` | 3.000 | >= 0.95 | yes |" in page
    assert "| rules-10, 1,000 rows | scan | 0.50 | 1.00 | 500.00 | 1.00 | 0.50 |" in page
    assert "DuckDB 2" in page
    assert "Not installed: polars, A-Tree." in page
    assert "Not measured in this run: rules-1, rules-100, " in page
