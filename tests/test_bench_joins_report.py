"""What is made of the runs of the join bench."""

from __future__ import annotations

import json
from pathlib import Path

from streamon_lab.bench.joins import markdown, report, variants
from streamon_lab.bench.joins.summary import TARGETS
from streamon_lab.bench.joins.variants import BATCH, FLINK, FLINK_CHECKPOINTED, IN_BUDGET
from streamon_lab.bench.measure import Timings
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.run import Answer, JoinRun, State
from streamon_lab.bench.streaming.variants import CHAINS, MJOIN, Engine
from streamon_lab.bench.streaming.workload import JoinWorkload
from streamon_lab.bench.targets import judged


def made_up(name: str, rows: int, seconds: dict[str, float], batch_ms: int = 100) -> Measured:
    """A workload as if its variants had taken these times."""
    known = {
        v.name: v
        for v in (
            *variants.CONTROLLED,
            variants.IN_BUDGET,
            variants.fixed((1, 0)),
            variants.fixed((0, 1)),
        )
    }
    workload = JoinWorkload(
        name, name, (), "", ("k",), Path(), 2, rows, tuple(known[variant] for variant in seconds)
    )
    state = State(rows, 0, 1, 1, 1, 1)
    runs = {
        v: [JoinRun(s, s, Answer(1, 1), (9_999, round(batch_ms * s)), {"addBatch": 3}, state)]
        for v, s in seconds.items()
    }
    return Measured(
        workload, {v: Timings([s], [s]) for v, s in seconds.items()}, runs, {v: r[0] for v, r in runs.items()}
    )


def test_what_was_not_run_has_no_figure() -> None:
    workload = made_up("3-way", 10, {MJOIN.name: 1, FLINK.name: 1}).workload
    assert [v.name for v in workload.without(Engine.FLINK).variants] == [MJOIN.name]
    summary = report.as_json([made_up("3-way-long", 10, {MJOIN.name: 1, BATCH.name: 1})], {}, {})["summary"]
    assert {name: figure for name, figure in summary.items() if figure is not None} == {
        "state_rows_vs_inputs": 1.0
    }


def test_growth_is_that_of_the_cost_of_a_row() -> None:
    measured = [
        made_up(name, rows, {MJOIN.name: seconds, **others})
        for name, rows, seconds, others in (
            ("3-way-1x", 1_000, 3, {}),
            ("3-way-2x", 2_000, 5, {}),
            ("3-way-4x", 4_000, 10, {CHAINS[1].name: 40, CHAINS[2].name: 50, IN_BUDGET.name: 44}),
        )
    ]
    summary = report.as_json(measured, {}, {})["summary"]
    assert summary["row_cost_growth"] == 1.25
    assert summary["speedup_3way_4m"] == 4.0
    assert summary["time_in_budget"] == 1.1


def test_the_summary_is_of_the_best_stock_format_and_of_differences() -> None:
    two, three = CHAINS[0].name, CHAINS[1].name
    result = report.as_json(
        [
            made_up(
                "3-way",
                1_000_000,
                {two: 60, three: 40, MJOIN.name: 10, "MJoin again": 11, BATCH.name: 2, FLINK.name: 9},
            ),
            made_up(
                "3-way-long",
                2_000_000,
                {
                    two: 90,
                    three: 64,
                    MJOIN.name: 16,
                    BATCH.name: 4,
                    FLINK.name: 12,
                    FLINK_CHECKPOINTED.name: 20,
                },
            ),
            made_up("8-way-empty", 10, {two: 50, three: 40, MJOIN.name: 10}),
            made_up(
                "drift",
                10,
                {MJOIN.name: 9, variants.fixed((1, 0)).name: 10, variants.fixed((0, 1)).name: 18},
            ),
        ],
        {
            "spark": "",
            "java": "",
            "system": "",
            "machine_cores": 2,
            "spark_cores": 2,
            "load_average_at_start": 0.0,
        },
        {"rounds": 1},
    )
    summary = result["summary"]
    assert summary["speedup_3way"] == 4.0
    assert summary["speedup_5way"] is None
    assert summary["speedup_rst"] is None
    assert summary["speedup_3way_long"] == summary["cpu_speedup_3way"] == 4.0
    assert summary["cpu_speedup_5way"] is None
    assert summary["time_vs_flink_long"] == 0.8
    assert summary["time_vs_flink_long_without_checkpoints"] == 1.333
    assert summary["time_vs_flink"] is None
    assert summary["row_cost_vs_flink"] == 2.0
    assert summary["batch_cost_vs_chain"] == 0.25
    assert summary["row_cost_vs_batch"] == 3.0
    assert summary["state_rows_vs_inputs"] == 1.0
    assert summary["drift_vs_best_fixed"] == 0.9
    assert summary["drift_vs_worst_fixed"] == 0.5
    assert summary["noise_floor"] == 0.1
    assert result["row_cost_us"] == {MJOIN.name: 6.0, BATCH.name: 2.0, FLINK.name: 3.0}
    met = {name: met for name, _, _, met in judged(summary, TARGETS)}
    assert met["speedup_3way"] is True
    assert met["speedup_8way"] is None
    text = markdown.as_markdown(json.loads(json.dumps(result)), "joins.json")
    assert "| `speedup_3way` | 4.000 | >= 2.5 | yes |" in text
    assert "| `speedup_rst` | not measured | >= 2.5 |  |" in text
    assert "| `addBatch` | 1.5 | 1.5 | 1.5 |" in text
