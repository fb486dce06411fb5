"""The results as JSON and as tables."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.filters.orders import optimum_evaluations
from streamon_lab.bench.filters.report import predicates
from streamon_lab.bench.results import head
from streamon_lab.bench.routes.bench import MeasuredFilter
from streamon_lab.bench.routes.compared import Compared
from streamon_lab.bench.routes.joins import report as joins
from streamon_lab.bench.routes.joins.bench import MeasuredJoin
from streamon_lab.bench.routes.summary import TARGETS, summary
from streamon_lab.bench.routes.variants import A_GREEDY

Json = dict[str, Any]


def as_json(measured: Sequence[MeasuredFilter | MeasuredJoin], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its variants; `summary` the figures to judge by."""
    return {
        **head("routes", environment, method, summary(measured), TARGETS),
        "workloads": [entry(m) for m in measured],
    }


def entry(m: MeasuredFilter | MeasuredJoin) -> Json:
    """One workload."""
    return {
        "name": m.name,
        "rows": m.rows,
        **(joins.about(m) if isinstance(m, MeasuredJoin) else about(m)),
        "variants": [variant(m, name) for name in m.timings],
    }


def about(m: MeasuredFilter) -> Json:
    """What the entry of a filter has beside its variants."""
    parts = zip(m.workload.segments, m.profile.segments, m.orders.oracle, strict=True)
    return {
        "title": m.workload.title,
        "oracle_could_win": {
            "filters_evaluated": round(m.prize.evaluations, 3),
            "predicate_time": round(m.prize.nanos, 3),
        },
        "optimum": optimum_evaluations(m.profile, m.orders),
        "kinds": [
            {"name": path.name, "rows": counts.rows, "order": m.workload.names(order)}
            for path, counts, order in parts
        ],
        "best_fixed_order": m.workload.names(m.best_fixed),
        "worst_order": m.workload.names(m.orders.worst),
        "predicates": predicates(m.workload, m.profile),
        "routes": [r.as_json(m.workload) for r in m.routes],
        **({"classifier": m.classifier.as_json()} if m.classifier else {}),
    }


def variant(m: Compared, name: str) -> Json:
    """What one variant took. Speeds are over that of A-Greedy. Filters evaluated of a join are look-ups."""
    timings, jvm, rows = m.timings[name], m.jvm_seconds[name], m.rows
    found: Json = {
        "name": name,
        "cpu_us_a_row": round(timings.cpu_median / rows * 1e6, 3),
        "jvm_cpu_us_a_row": round(statistics.median(jvm) / rows * 1e6, 3),
        "seconds": round(timings.median, 3),
        "speed_cpu": round(1 / m.cpu(name, A_GREEDY), 3),
        "speed_jvm_cpu": round(1 / m.jvm(name, A_GREEDY), 3),
        "speed_clock": round(1 / m.clock(name, A_GREEDY), 3),
        "filters_evaluated": m.evaluated(name),
        "cpu_samples": [round(s, 3) for s in timings.cpu_seconds],
        "jvm_cpu_samples": [round(s, 3) for s in jvm],
        "samples": [round(s, 3) for s in timings.seconds],
    }
    learned = m.learned(name)
    if learned:
        found["profiled"] = round(statistics.median(run.profiled for run in learned))
        found["reorders"] = round(statistics.median(run.reorders for run in learned))
    return found


HEADING = (
    *("workload", "variant", "CPU us a row", "seconds"),
    *("CPU speed", "JVM's CPU", "by the clock", "filters evaluated a row"),
)


def rows(result: Json) -> list[list[str]]:
    """A row for each variant of each workload; the heading first."""
    table = [list(HEADING)]
    for w in result["workloads"]:
        for number, v in enumerate(w["variants"]):
            table.append(
                [
                    f"{w['name']}, {w['rows']:,} rows" if number == 0 else "",
                    v["name"],
                    f"{v['cpu_us_a_row']:.2f}",
                    f"{v['seconds']:.2f}",
                    f"{v['speed_cpu']:.2f}",
                    f"{v['speed_jvm_cpu']:.2f}",
                    f"{v['speed_clock']:.2f}",
                    f"{v['filters_evaluated'] / w['rows']:.3f}",
                ]
            )
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table("Routes: speed over that of A-Greedy", rows(result), names=2)
