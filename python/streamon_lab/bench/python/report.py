"""The results as JSON and as tables."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.filters import adaptive, report
from streamon_lab.bench.python import variants
from streamon_lab.bench.python.bench import Measured
from streamon_lab.bench.python.summary import TARGETS, summary
from streamon_lab.bench.results import head

Json = dict[str, Any]


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its variants; `summary` the figures to judge by."""
    return {
        **head("python", environment, method, summary(measured), TARGETS),
        "workloads": [entry(m) for m in measured],
    }


def entry(m: Measured) -> Json:
    """One workload."""
    best = m.orders.best
    reaching = dict(zip(best, m.profile.counts.reaching(best), strict=True))
    return {
        "name": m.workload.name,
        "title": m.workload.title,
        "kind": m.workload.kind.value,
        "rows": m.profile.counts.rows,
        "predicates": report.predicates(m.workload, m.profile),
        "worst_order": m.workload.names(m.orders.worst),
        "best_order": m.workload.names(best),
        "optimum": sum(reaching[i] for i in m.workload.python),
        "variants": [variant(m, name) for name in m.timings],
    }


def variant(m: Measured, name: str) -> Json:
    """What one variant took. Speedups are of stock over it."""
    timings, rows = m.timings[name], m.profile.counts.rows
    found: Json = {
        "name": name,
        "cpu_us_a_row": round(timings.cpu_median / rows * 1e6, 3),
        "seconds": round(timings.median, 3),
        "speedup_cpu": round(1 / m.cpu(name, variants.STOCK), 3),
        "speedup_clock": round(1 / m.clock(name, variants.STOCK), 3),
        "cpu_samples": [round(s, 3) for s in timings.cpu_seconds],
        "samples": [round(s, 3) for s in timings.seconds],
    }
    return found | (_evaluated(m, m.counted[name]) if name in m.counted else {})


def _evaluated(m: Measured, counted: Sequence[adaptive.Counted]) -> Json:
    calls = list(m.workload.python.values())
    return {
        "filters_evaluated": round(statistics.median(sum(c.evaluations) for c in counted)),
        "profiled": round(statistics.median(c.profiled for c in counted)),
        "reorders": round(statistics.median(c.reorders for c in counted)),
        "last_order": [calls[i].name for i in counted[-1].position],
    }


HEADING = (
    *("workload", "variant", "CPU us a row", "seconds"),
    *("CPU speedup", "by the clock", "filters evaluated a row", "optimum"),
)


def rows(result: Json) -> list[list[str]]:
    """A row for each variant of each workload; the heading first."""
    table = [list(HEADING)]
    for w in result["workloads"]:
        for number, v in enumerate(w["variants"]):
            own = "filters_evaluated" in v
            table.append(
                [
                    f"{w['name']}, {w['rows']:,} rows" if number == 0 else "",
                    v["name"],
                    f"{v['cpu_us_a_row']:.2f}",
                    f"{v['seconds']:.2f}",
                    f"{v['speedup_cpu']:.2f}",
                    f"{v['speedup_clock']:.2f}",
                    f"{v['filters_evaluated'] / w['rows']:.3f}" if own else "",
                    f"{w['optimum'] / w['rows']:.3f}" if own else "",
                ]
            )
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table("Python functions: speedup over stock Spark", rows(result), names=2)
