"""The workloads of the join bench, one family a module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.joins.workload import JoinWorkload
from streamon_lab.bench.joins.workloads import different_keys, drift, nexmark, one_key, windowed

Family = Callable[[Path, JoinSizes], list[JoinWorkload]]

FAMILIES: dict[str, Family] = {
    "one key": one_key.workloads,
    "windowed": windowed.workloads,
    "different keys": different_keys.workloads,
    "nexmark": nexmark.workloads,
    "drift": drift.workloads,
}
"""Each makes its data under a folder, once, and returns its workloads."""
