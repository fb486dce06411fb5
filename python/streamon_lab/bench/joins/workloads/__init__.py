"""The workloads of the join bench, one family a module."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from streamon_lab.bench.families import Family
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.joins.workloads import different_keys, drift, nexmark, one_key, windowed
from streamon_lab.bench.streaming.workload import JoinWorkload


def families(root: Path, sizes: JoinSizes) -> Sequence[Family[JoinWorkload]]:
    """All families. Each generates its data below a folder, once."""
    others = (windowed, different_keys, nexmark, drift)
    return [
        Family(one_key.names(sizes), partial(one_key.workloads, root, sizes)),
        *(Family(module.NAMES, partial(module.workloads, root, sizes)) for module in others),
    ]
