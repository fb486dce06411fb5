"""The workloads of the filter bench, one family a module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamon.bench.datasets import Sizes
from streamon.bench.workload import Workload
from streamon.bench.workloads import correlated, flights, flip, integers, tpch

Family = Callable[[Path, Sizes], list[Workload]]

FAMILIES: dict[str, Family] = {
    "flights": flights.workloads,
    "tpch": tpch.workloads,
    "correlated": correlated.workloads,
    "flip": flip.workloads,
    "integers": integers.workloads,
}
"""Each makes its data under a folder, once, and returns its workloads."""
