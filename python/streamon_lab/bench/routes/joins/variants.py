"""The ways to run a join whose arriving rows are of several kinds, and the plan that each must have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.routes.forced import JOIN
from streamon_lab.bench.routes.joins.kinds import Kind, routes
from streamon_lab.bench.routes.variants import ALGORITHMS, QUERY_MESH
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import MJOIN, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

ORACLE = "query-mesh, oracle"
ALGORITHM = "spark.streamon.join.algorithm"


def variants(kinds: Sequence[Kind]) -> tuple[Variant, ...]:
    """All that a join is run as. The oracle has the best route of each kind from its first row on."""
    adaptive = [
        replace(MJOIN, name=name, conf={**MJOIN.conf, ALGORITHM: algorithm})
        for name, algorithm in ALGORITHMS.items()
    ]
    mesh = next(v for v in adaptive if v.name == QUERY_MESH)
    return replace(mesh, name=ORACLE, conf={**mesh.conf, JOIN: routes(kinds)}), *adaptive


def check(runner: Runner, join: JoinWorkload, variant: Variant) -> None:
    """Raises `UnexpectedPlanError` unless a variant is an MJoin with its algorithm and without caches."""
    plan = runner.plan(join, variant)
    expected = f"MJoin [{variant.conf[ALGORITHM]}, caching off]"
    if expected not in plan:
        raise UnexpectedPlanError(f"{expected} should be in this plan:\n{plan}")
