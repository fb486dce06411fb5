"""The results as JSON and as tables. Times are ratios to the best fixed order in stock Spark."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.filters import bench as filters
from streamon_lab.bench.filters import model
from streamon_lab.bench.filters.bench import Measured
from streamon_lab.bench.filters.orders import optimum_evaluations, optimum_nanos
from streamon_lab.bench.filters.profile import Profile
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.measure import apart
from streamon_lab.bench.results import head
from streamon_lab.bench.targets import Target

Json = dict[str, Any]

TARGETS = {
    "regret_median": Target("<=", 1.05),
    "regret_worst": Target("<=", 1.15),
    "correlated_vs_marginal": Target("<", 1.0),
    "drift_vs_best_fixed": Target("<=", 0.92),
    "control_overhead": Target("<=", 1.05),
}
"""What is asked of the figures of the summary."""

CORRELATED, DRIFT, CONTROL = "W3", "W4", "W5"
WRITTEN = {"worst": filters.ADAPTIVE_WORST, "best": filters.ADAPTIVE_BEST}


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each written order, `summary` the figures to judge by."""
    return {
        **head("filters", environment, method, summary(measured), TARGETS),
        "workloads": [entry for m in measured for entry in entries(m)],
        "details": [details(m) for m in measured],
    }


def entries(m: Measured) -> list[Json]:
    """One entry for each order that the adaptive filter was written in."""
    found = []
    for written, variant in WRITTEN.items():
        if variant not in m.timings:
            continue
        order = m.orders.worst if written == "worst" else m.best_fixed
        stock = filters.STOCK_WORST if written == "worst" else filters.STOCK_BEST
        counted = m.counted[variant]
        costs, evaluations = m.profile.costs, [c.evaluations for c in counted]
        found.append(
            {
                "name": m.workload.name,
                "written": written,
                "written_order": m.workload.names(order),
                "stock": round(m.ratio(stock), 3),
                "best_fixed": 1.0,
                "best_fixed_order": m.workload.names(m.best_fixed),
                "adaptive": round(m.ratio(variant), 3),
                "regret": round(m.ratio(variant), 3),
                "regret_cpu": round(m.cpu_ratio(variant), 3),
                "filters_evaluated": round(statistics.median(sum(e) for e in evaluations)),
                "best_fixed_filters_evaluated": m.profile.counts.evaluations(m.best_fixed),
                "optimum": optimum_evaluations(m.profile, m.orders),
                "predicate_time_to_optimum": round(
                    statistics.median(sum(n * c for n, c in zip(e, costs, strict=True)) for e in evaluations)
                    / optimum_nanos(m.profile, m.orders),
                    3,
                ),
                "profiled": round(statistics.median(c.profiled for c in counted)),
                "reorders": round(statistics.median(c.reorders for c in counted)),
                "last_order": m.workload.names(counted[-1].position),
            }
        )
    return found


def details(m: Measured) -> Json:
    """The model of a workload and the timing of each variant."""
    counts, costs, names = m.profile.counts, m.profile.costs, m.workload.names
    unit = m.timings[filters.STOCK_BEST].median
    orders = {
        "worst": m.orders.worst,
        "best": m.orders.best,
        "greedy": m.orders.greedy,
        "cheapest_first": m.orders.cheapest,
        "by_marginals": m.orders.marginal,
        "best_fixed": m.best_fixed,
    }
    found: Json = {
        "name": m.workload.name,
        "title": m.workload.title,
        "rows": counts.rows,
        "predicates": predicates(m.workload, m.profile),
        "orders": {
            name: {
                "order": names(order),
                "filters_evaluated": counts.evaluations(order),
                "model_cost": round(model.cost(counts, costs, order) / optimum, 3),
            }
            for optimum in [model.cost(counts, costs, m.orders.best)]
            for name, order in orders.items()
        },
        "best_fixed_ms": round(unit * 1000),
        "variants": {
            name: {
                "ratio": round(t.median / unit, 3),
                "cpu_ratio": round(m.cpu_ratio(name), 3),
                "spread": round(t.spread, 3),
                "samples": [round(s / unit, 3) for s in t.seconds],
            }
            for name, t in m.timings.items()
        },
    }
    if len(m.workload.segments) > 1:
        found["oracle_orders"] = [names(order) for order in m.orders.oracle]
    return found


def summary(measured: Sequence[Measured]) -> Json:
    """The figures to judge by; of two written orders always the worse. Absent where nothing adaptive ran."""
    controls = [apart(m.ratio(filters.STOCK_AGAIN)) for m in measured]
    found: Json = {
        "noise_floor": round(max(controls), 3),
        "noise_median": round(statistics.median(controls), 3),
    }
    by_name = {m.workload.name: m for m in measured if filters.ADAPTIVE_WORST in m.timings}
    if not by_name:
        return found
    regrets = {name: worse(m) for name, m in by_name.items()}
    found["regret_median"] = round(statistics.median(regrets.values()), 3)
    found["regret_worst"] = round(max(regrets.values()), 3)
    found["regret_worst_workload"] = max(regrets, key=lambda name: regrets[name])
    found["regret_cpu_median"] = round(
        statistics.median(max(m.cpu_ratio(v) for v in WRITTEN.values()) for m in by_name.values()), 3
    )
    if CORRELATED in by_name:
        found["correlated_vs_marginal"] = round(worse(by_name[CORRELATED], _marginal(by_name[CORRELATED])), 3)
    if DRIFT in by_name:
        found["drift_vs_best_fixed"] = round(worse(by_name[DRIFT]), 3)
        found["drift_oracle"] = round(by_name[DRIFT].ratio(filters.ORACLE), 3)
    if CONTROL in by_name:
        control = by_name[CONTROL]
        found["control_overhead"] = round(
            max(
                control.ratio(filters.ADAPTIVE_WORST, filters.STOCK_WORST),
                control.ratio(filters.ADAPTIVE_BEST, filters.STOCK_BEST),
            ),
            3,
        )
        found["control_without_hint"] = round(control.ratio(filters.UNHINTED, filters.STOCK_WORST), 3)
    return found


def worse(m: Measured, to: str = filters.STOCK_BEST) -> float:
    """Adaptive over stock, from whichever written order is the slower."""
    return max(m.ratio(variant, to) for variant in WRITTEN.values())


def _marginal(m: Measured) -> str:
    return filters.STOCK_MARGINAL if filters.STOCK_MARGINAL in m.timings else filters.STOCK_BEST


def predicates(workload: Workload, profile: Profile) -> list[Json]:
    """What the model knows of each predicate."""
    counts = profile.counts
    return [
        {
            "name": p.name,
            "sql": p.sql,
            "pass_rate": round(counts.passing[1 << i] / counts.rows, 4),
            "nanos": round(profile.costs[i], 1),
        }
        for i, p in enumerate(workload.predicates)
    ]


COLUMNS = (
    ("stock\nworst", filters.STOCK_WORST),
    ("cheapest\nfirst", filters.STOCK_CHEAPEST),
    ("by\nmarginals", filters.STOCK_MARGINAL),
    ("oracle", filters.ORACLE),
    ("adaptive,\nwritten worst", filters.ADAPTIVE_WORST),
    ("adaptive,\nwritten best", filters.ADAPTIVE_BEST),
    ("A/A", filters.STOCK_AGAIN),
)


def rows(result: Json) -> list[list[str]]:
    """Ratios to the best fixed order, and evaluations a row; the heading first."""
    heading = [
        "workload",
        *(title.replace("\n", " ") for title, _ in COLUMNS),
        "filters evaluated a row",
        "optimum",
    ]
    evaluated = {e["name"]: e for e in result["workloads"] if e["written"] == "worst"}
    table = [heading]
    for d in result["details"]:
        cells = []
        for _, variant in COLUMNS:
            # A rule that finds the best fixed order was not run a second time.
            same = variant in (filters.STOCK_CHEAPEST, filters.STOCK_MARGINAL)
            timing = d["variants"].get(variant)
            cells.append(f"{timing['ratio']:.2f}" if timing else "= best" if same else "")
        e = evaluated.get(d["name"])
        counts = [f"{e[key] / d['rows']:.3f}" for key in ("filters_evaluated", "optimum")] if e else ["", ""]
        table.append([f"{d['name']} {d['title']}", *cells, *counts])
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    title = "Time over that of the best fixed order in stock Spark (1.00)"
    return terminal.table(title, rows(result), names=1, widest=(30, 10))
