"""The workloads of the bench of routes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from streamon_lab.bench.families import Family
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.routes.sizes import RouteSizes
from streamon_lab.bench.routes.workloads import flights
from streamon_lab.bench.routes.workloads.logs import DRIFT, ONE_KIND, THREE_KINDS, Logs


def families(root: Path, sizes: RouteSizes) -> Sequence[Family[Workload]]:
    """The filters, each a family of its own. Each generates its data below a folder, once."""

    def logs(of: Logs, rows: int) -> Family[Workload]:
        return Family((of.name,), lambda: [of.workload(root, rows)])

    return [
        logs(THREE_KINDS, sizes.logs),
        Family((flights.NAME,), lambda: [flights.workload(root, sizes.flights)]),
        logs(ONE_KIND, sizes.logs),
        logs(DRIFT, sizes.drift),
    ]
