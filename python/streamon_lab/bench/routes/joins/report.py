"""What is known of a join before it runs, as JSON."""

from __future__ import annotations

from typing import Any

from streamon_lab.bench.routes.joins import kinds
from streamon_lab.bench.routes.joins.bench import MeasuredJoin
from streamon_lab.bench.routes.joins.workload import KindsJoin

Json = dict[str, Any]


def about(m: MeasuredJoin) -> Json:
    """What a workload's entry has beside its variants. What a look-up costs is not known."""
    workload = m.workload
    return {
        "title": workload.join.title,
        "oracle_could_win": {"filters_evaluated": round(m.prize, 3), "predicate_time": None},
        "optimum": kinds.optimum(workload.kinds),
        "kinds": [
            {"name": kind.name, "rows": kind.rows, "order": workload.names(kind.best)}
            for kind in workload.kinds
        ],
        "best_fixed_order": workload.names(kinds.best_fixed(workload.kinds)),
        "worst_order": workload.names(kinds.worst(workload.kinds)),
        "predicates": predicates(workload),
    }


def predicates(workload: KindsJoin) -> list[Json]:
    """The condition of each stream, and how many of the rows it has a match for."""
    rows = sum(kind.rows for kind in workload.kinds)
    return [
        {
            "name": stream.name,
            "sql": condition,
            "pass_rate": round(sum(kind.rows * kind.rates[i] for kind in workload.kinds) / rows, 4),
            "nanos": None,
        }
        for i, (stream, condition) in enumerate(
            zip(workload.join.streams[1:], workload.conditions, strict=True)
        )
    ]
