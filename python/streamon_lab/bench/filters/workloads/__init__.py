"""The workloads of the filter bench, one family a module."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from streamon_lab.bench.families import Family
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.filters.workloads import correlated, flights, flip, integers, tpch

MODULES = (flights, tpch, correlated, flip, integers)


def families(root: Path, sizes: Sizes) -> Sequence[Family[Workload]]:
    """All families. Each generates its data below a folder, once."""
    return [Family(module.NAMES, partial(module.workloads, root, sizes)) for module in MODULES]
