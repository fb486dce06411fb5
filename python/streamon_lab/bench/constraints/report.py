"""The results as JSON and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.constraints.summary import (
    TARGETS,
    cpu_ratio,
    memory,
    missed,
    peak_of,
    ratio,
    rows_in_memory,
    steady_of,
    summary,
    time_ratio,
)
from streamon_lab.bench.constraints.variants import OFF
from streamon_lab.bench.constraints.workloads import SEEDS
from streamon_lab.bench.results import head
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.report import engine
from streamon_lab.bench.streaming.variants import Engine, Variant

Json = dict[str, Any]


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its modes; `summary` the figures to judge by."""
    return {
        **head("constraints", environment, {**method, "seeds": SEEDS}, summary(measured), TARGETS),
        "workloads": [entry(m) for m in measured],
    }


def entry(m: Measured) -> Json:
    """One workload."""
    return {
        "name": m.workload.name,
        "title": m.workload.title,
        "streams": len(m.workload.streams),
        "rows": m.workload.rows,
        "micro_batches": m.workload.files,
        "steady_after": m.workload.growing,
        "results": m.runs[OFF.name][0].answer.results,
        "modes": [mode(m, v) for v in m.workload.variants],
    }


def mode(m: Measured, variant: Variant) -> Json:
    """What one mode took and kept; the chain has no memory of its own to compare."""
    name, run = variant.name, m.runs[variant.name][-1]
    found: Json = {
        **engine(m, variant),
        "time_ratio": round(time_ratio(m, name), 3),
        "cpu_ratio": round(cpu_ratio(m, name), 3),
        "missed": missed(m, name),
        "state_rows": round(steady_of(m, name, lambda kept: kept.rows)),
        "peak_state_rows": round(peak_of(m, name, lambda kept: kept.rows)),
    }
    if variant.engine is Engine.CHAIN:
        return found
    return found | {
        "memory_ratio": round(ratio(m, name), 4),
        "rows_ratio": round(ratio(m, name, rows_in_memory), 4),
        "steady_bytes": round(steady_of(m, name, memory)),
        "peak_bytes": round(peak_of(m, name, memory)),
        "rows_in_memory": round(steady_of(m, name, rows_in_memory)),
        "constraint_bytes": round(steady_of(m, name, lambda kept: kept.constraint_bytes)),
        "dead_rows": round(steady_of(m, name, lambda kept: kept.dead)),
        "cold_rows": run.kept[-1].cold,
        "evicted_rows": run.evicted_rows,
        "violations": run.violations,
    }


HEADING = (
    *(
        "workload",
        "mode",
        "seconds",
        "over off",
        "CPU s",
        "over off",
        "state rows",
        "in memory",
        "peak KB",
        "steady KB",
    ),
    *("over off", "monitors KB", "evicted", "missed"),
)


def rows(result: Json) -> list[list[str]]:
    """A row for each mode of each workload; the heading first."""
    table = [list(HEADING)]
    for workload in result["workloads"]:
        for number, e in enumerate(workload["modes"]):
            own = "steady_bytes" in e
            table.append(
                [
                    f"{workload['name']}, {workload['rows']:,} rows" if number == 0 else "",
                    e["name"],
                    f"{e['seconds']:.2f}",
                    f"{e['time_ratio']:.2f}",
                    f"{e['cpu_seconds']:.2f}",
                    f"{e['cpu_ratio']:.2f}",
                    f"{e['state_rows']:,}",
                    f"{e['rows_in_memory']:,}" if own else "",
                    f"{e['peak_bytes'] / 1024:,.0f}" if own else "",
                    f"{e['steady_bytes'] / 1024:,.0f}" if own else "",
                    f"{e['memory_ratio']:.3f}" if own else "",
                    f"{e['constraint_bytes'] / 1024:,.0f}" if own else "",
                    f"{e['evicted_rows']:,}" if own else "",
                    f"{e['missed']:,}",
                ]
            )
    return table


def seeds() -> str:
    """Of the generators."""
    return ", ".join(f"{name} {seed}" for name, seed in SEEDS.items())


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table(f"k-constraints (seeds: {seeds()})", rows(result), names=2)
