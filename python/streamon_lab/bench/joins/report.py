"""The results as JSON and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.joins.summary import SPEEDUPS, TARGETS, row_cost, speedup, summary
from streamon_lab.bench.joins.variants import BATCH, FLINKS
from streamon_lab.bench.results import head
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.report import engine, rounded
from streamon_lab.bench.streaming.variants import MJOIN, Engine

Json = dict[str, Any]


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its engines; `summary` the figures to judge by."""
    by_name = {m.workload.name: m for m in measured}
    costs = {v.name: row_cost(by_name, v.name) for v in (MJOIN, BATCH, *FLINKS)}
    return {
        **head("joins", environment, method, summary(measured), TARGETS),
        "row_cost_us": {name: rounded(cost) for name, cost in costs.items() if cost is not None},
        "workloads": [entry(m) for m in measured],
    }


def entry(m: Measured) -> Json:
    """One workload."""
    found: Json = {
        "name": m.workload.name,
        "title": m.workload.title,
        "streams": len(m.workload.streams),
        "rows": m.workload.rows,
        "micro_batches": m.workload.files,
        "results": m.runs[MJOIN.name][0].answer.results,
        "engines": [engine(m, v) for v in m.workload.variants],
    }
    if m.workload.name in SPEEDUPS.values() and m.best(Engine.CHAIN):
        found["best_stock"] = m.best(Engine.CHAIN)
        found["speedup"] = rounded(speedup(m))
    return found


def rows(result: Json) -> list[list[str]]:
    """A row for each engine of each workload; the heading first."""
    table = [
        [
            "workload",
            "engine",
            "seconds",
            "CPU s",
            "over MJoin",
            "ms a micro-batch",
            "state rows",
            "state MB",
            "state files",
        ]
    ]
    for workload in result["workloads"]:
        unit = next(e["seconds"] for e in workload["engines"] if e["name"] == MJOIN.name)
        for number, e in enumerate(workload["engines"]):
            stateful = "state_rows" in e
            table.append(
                [
                    f"{workload['name']}, {workload['rows']:,} rows" if number == 0 else "",
                    e["name"],
                    f"{e['seconds']:.2f}",
                    "" if e["cpu_seconds"] is None else f"{e['cpu_seconds']:.2f}",
                    f"{e['seconds'] / unit:.2f}",
                    f"{e['batch_ms']:.0f}" if stateful else "",
                    f"{e['state_rows']:,}" if stateful else "",
                    f"{e['state_bytes'] / 1e6:.1f}" if stateful else "",
                    str(e["state_files"]) if stateful else "",
                ]
            )
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table("Joins of streams: time, state", rows(result), names=2)
