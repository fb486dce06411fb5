"""The workloads of the bench of constraints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import changing, linear_road, network, nothing, road
from streamon_lab.bench.families import Family
from streamon_lab.bench.streaming.workload import JoinWorkload

SEEDS = {
    "network": network.SEED,
    "linear-road": road.SEED,
    "obeys-nothing": nothing.SEED,
    "k": changing.SEED,
}
"""By the begin of a workload's name."""


def families(root: Path, sizes: ConstraintSizes) -> Sequence[Family[JoinWorkload]]:
    """All families. Each generates its data below a folder, once."""
    modules = (network, linear_road, nothing, changing)
    return [Family(module.NAMES, partial(module.workloads, root, sizes)) for module in modules]
