"""The workloads of the bench of constraints."""

from __future__ import annotations

from pathlib import Path

from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import changing, linear_road, network, nothing, road
from streamon_lab.bench.joins.workload import JoinWorkload

SEEDS = {
    "network": network.SEED,
    "linear-road": road.SEED,
    "obeys-nothing": nothing.SEED,
    "k": changing.SEED,
}
"""By the begin of a workload's name."""


def workloads(root: Path, sizes: ConstraintSizes) -> list[JoinWorkload]:
    """All of them."""
    families = (network, linear_road, nothing, changing)
    return [workload for family in families for workload in family.workloads(root, sizes)]
