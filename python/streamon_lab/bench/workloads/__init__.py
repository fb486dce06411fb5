"""The workloads of the filter bench, one family a module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamon_lab.bench.datasets import Sizes
from streamon_lab.bench.workload import Workload
from streamon_lab.bench.workloads import correlated, flights, flip, integers, tpch

Family = Callable[[Path, Sizes], list[Workload]]

FAMILIES: dict[str, Family] = {
    "flights": flights.workloads,
    "tpch": tpch.workloads,
    "correlated": correlated.workloads,
    "flip": flip.workloads,
    "integers": integers.workloads,
}
"""Each makes its data under a folder, once, and returns its workloads."""
