"""The bench of rules: its rules, one small run of every variant, and what is made of the runs."""

from __future__ import annotations

import json

import pytest
from pyspark.sql import SparkSession

from streamon_lab.bench.measure import Timings
from streamon_lab.bench.selections import markdown, report, variants
from streamon_lab.bench.selections.bench import Measured, measure
from streamon_lab.bench.selections.rules import VALUES, rules
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


def test_all_variants_find_the_same(spark: SparkSession) -> None:
    found = measure(Stopwatch(spark), RuleWorkload(10, OFTEN, 5_000), 1, lambda _: None)
    assert set(found.timings) == {variants.SCAN, variants.MATCH, variants.AGAIN, *variants.STOCK}
    assert found.fastest_stock in variants.STOCK
    spark.catalog.uncacheTable(variants.ROWS)
    for view in (variants.ROWS, variants.RULES, variants.BOUNDS):
        spark.catalog.dropTempView(view)


def measured(count: int, share: float, **seconds: float) -> Measured:
    """A workload with made-up times; `match` takes one second."""
    times = {variants.SCAN: 0.5, variants.MATCH: 1.0, variants.AGAIN: 1.1, **seconds}
    timings = {name: Timings([s], [2 * s]) for name, s in times.items()}
    return Measured(RuleWorkload(count, share, 1_000), timings)


def test_the_summary_has_the_worse_of_both_shares() -> None:
    found = summary(
        [
            measured(1_000, OFTEN, **{variants.FILTER: 70.0, variants.NESTED: 12.0}),
            measured(1_000, RARE, **{variants.FILTER: 65.0, variants.NESTED: 15.0}),
            measured(10_000, OFTEN, match=4.0),
            measured(10_000, RARE, match=2.0),
        ]
    )
    assert found["speedup_1000"] == 12.0
    assert found["speedup_array_1000"] == 65.0
    assert found["growth_10000"] == 4.0
    assert found["growth_10000_rare"] == 2.0
    assert found["speedup_10"] is None
    assert set(TARGETS) <= set(found)


def test_the_page_has_every_figure_and_every_time() -> None:
    about = {"spark": "4", "java": "17", "system": "x", "machine_cores": 2, "spark_cores": 2}
    result = report.as_json(
        [measured(10, OFTEN, **{variants.UNION: 3.0})],
        {**about, "load_average_at_start": 0.1},
        {"rounds": 1},
    )
    page = markdown.as_markdown(json.loads(json.dumps(result)), "selections.json")
    assert "| `speedup_10` | 3.000 | >= 0.95 | yes |" in page
    assert "| rules-10, 1,000 rows | scan | 0.50 | 1.00 | 500.00 | 1.00 | 0.50 |" in page
