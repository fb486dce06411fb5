"""The results as JSON and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.caching.summary import TARGETS, gain, has, row_cost, summary, whole_gain
from streamon_lab.bench.results import head
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.report import engine
from streamon_lab.bench.streaming.variants import Variant

Json = dict[str, Any]


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its plans; `summary` the figures to judge by."""
    by_name = {m.workload.name: m for m in measured}
    return {
        **head("caching", environment, method, summary(measured), TARGETS),
        "workloads": [entry(m, by_name) for m in measured],
    }


def entry(m: Measured, by_name: dict[str, Measured]) -> Json:
    """One workload."""
    return {
        "name": m.workload.name,
        "title": m.workload.title,
        "rows": m.workload.rows,
        "micro_batches": m.workload.files,
        "results": next(iter(m.runs.values()))[0].answer.results,
        "plans": [plan(m, v, by_name) for v in m.workload.variants],
    }


def plan(m: Measured, variant: Variant, by_name: dict[str, Measured]) -> Json:
    """What one plan took, and what its caches did."""
    run, name = m.runs[variant.name][-1], m.workload.name
    found: Json = {
        **engine(m, variant),
        "speedup": whole_gain(m, variant.name),
        "cache_hits": run.cache_hits,
        "cache_misses": run.cache_misses,
        "cache_bytes": run.cache_bytes,
    }
    if has(by_name, name):
        found["row_us"] = round(row_cost(by_name, name, variant.name), 3)
        found["row_gain"] = gain(by_name, name, variant.name)
    return found


def rows(result: Json) -> list[list[str]]:
    """A row for each plan of each workload; the heading first."""
    table = [
        ["workload", "plan", "seconds", "CPU s", "speedup", "us a row", "gain a row", "hits", "misses", "KB"]
    ]
    for workload in result["workloads"]:
        for number, p in enumerate(workload["plans"]):
            table.append(
                [
                    f"{workload['name']}, {workload['rows']:,} rows" if number == 0 else "",
                    p["name"],
                    f"{p['seconds']:.2f}",
                    f"{p['cpu_seconds']:.2f}",
                    f"{p['speedup']:.2f}",
                    f"{p['row_us']:.1f}" if "row_us" in p else "",
                    f"{p['row_gain']:.2f}" if p.get("row_gain") else "",
                    f"{p['cache_hits']:,}" if p["cache_hits"] else "",
                    f"{p['cache_misses']:,}" if p["cache_misses"] else "",
                    f"{p['cache_bytes'] / 1024:.0f}" if p["cache_bytes"] else "",
                ]
            )
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table("Caches of subresults", rows(result), names=2)
