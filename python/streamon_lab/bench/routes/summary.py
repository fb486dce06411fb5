"""The figures by which Query Mesh is judged: in processor time, then by the clock and of the whole JVM."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamon_lab.bench.measure import apart
from streamon_lab.bench.routes.bench import MeasuredFilter
from streamon_lab.bench.routes.compared import Compared
from streamon_lab.bench.routes.given import APART, GIVEN
from streamon_lab.bench.routes.joins.variants import ORACLE as JOIN_ORACLE
from streamon_lab.bench.routes.variants import A_GREEDY, A_GREEDY_AGAIN, ORACLE, QUERY_MESH, STOCK_BEST
from streamon_lab.bench.routes.workloads import flights, join
from streamon_lab.bench.routes.workloads.logs import DRIFT, ONE_KIND, THREE_KINDS
from streamon_lab.bench.targets import Target

TARGETS = {
    "gain_over_a_greedy": Target(">=", 1.3),
    "regret_to_oracle": Target("<=", 1.1),
    "uniform_ratio": Target("<=", 1.02),
    "drift_ratio": Target("<=", 1.03),
}
"""What is asked of the figures of the summary."""

Ratio = Callable[[Compared, str, str], float]
"""A variant over another, in one of the three times."""

Figures = dict[str, float | None]


def summary(measured: Sequence[Compared]) -> Figures:
    """The figures to judge by; None for what was not measured."""
    return {
        **figures(measured, Compared.cpu),
        **classification(measured),
        **{f"{name}_clock": value for name, value in figures(measured, Compared.clock).items()},
        **{f"{name}_jvm": value for name, value in figures(measured, Compared.jvm).items()},
    }


def figures(measured: Sequence[Compared], ratio: Ratio) -> Figures:
    """The figures by one of the times."""
    by_name = {m.name: m for m in measured}

    def of(workload: str, variant: str, to: str) -> float | None:
        m = by_name.get(workload)
        return None if m is None else round(ratio(m, variant, to), 3)

    noise = [apart(ratio(m, A_GREEDY_AGAIN, A_GREEDY)) for m in measured]
    return {
        "gain_over_a_greedy": of(THREE_KINDS.name, A_GREEDY, QUERY_MESH),
        "regret_to_oracle": of(THREE_KINDS.name, QUERY_MESH, ORACLE),
        "given_routes_to_oracle": of(THREE_KINDS.name, GIVEN, ORACLE),
        "given_routes_kinds_apart_to_oracle": of(THREE_KINDS.name, APART, ORACLE),
        "uniform_ratio": of(ONE_KIND.name, QUERY_MESH, A_GREEDY),
        "drift_ratio": of(DRIFT.name, QUERY_MESH, A_GREEDY),
        "drift_regret_to_oracle": of(DRIFT.name, QUERY_MESH, ORACLE),
        "flights_gain_over_a_greedy": of(flights.NAME, A_GREEDY, QUERY_MESH),
        "flights_regret_to_oracle": of(flights.NAME, QUERY_MESH, ORACLE),
        "flights_oracle_gain": of(flights.NAME, STOCK_BEST, ORACLE),
        "join_gain": of(join.NAME, A_GREEDY, QUERY_MESH),
        "join_regret_to_oracle": of(join.NAME, QUERY_MESH, JOIN_ORACLE),
        "noise_floor": round(max(noise), 3),
    }


def classification(measured: Sequence[Compared]) -> Figures:
    """What the tree takes for a row, and its share of Query Mesh; no share where it is within noise."""
    found = next((m for m in measured if isinstance(m, MeasuredFilter) and m.classifier), None)
    if found is None or found.classifier is None:
        return dict.fromkeys(("classifier_share", "classifier_ns_a_row", "classifier_noise_ns_a_row"))
    of = found.classifier
    nanos_of_all = found.timings[QUERY_MESH].cpu_median / of.rows * 1e9
    return {
        "classifier_share": round(of.nanos / nanos_of_all, 3) if of.is_above_noise else None,
        "classifier_ns_a_row": round(of.nanos, 2),
        "classifier_noise_ns_a_row": round(of.noise, 2),
    }
