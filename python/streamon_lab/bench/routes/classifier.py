"""What the tree of Query Mesh takes for a row, by a filter that does next to nothing besides.

The first conjunct drops nearly all rows on every route. With forced routes all rows take one order, or a tree
of two tests sends them on three. The orders differ behind the first conjunct, by conjuncts that cost the same
and drop nothing. The generated code is the same, since it has the tree as data. So the tree is all that the
two differ by, and reading its column is part of it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from streamon_lab.bench.filters.adaptive import UnexpectedPlanError
from streamon_lab.bench.filters.variant import Variant
from streamon_lab.bench.filters.workload import Order, Predicate, Workload
from streamon_lab.bench.measure import Timings, interleaved
from streamon_lab.bench.routes.forced import FILTER, by_value
from streamon_lab.bench.routes.learned import last_routes
from streamon_lab.bench.routes.variants import ALGORITHMS, QUERY_MESH, hint
from streamon_lab.bench.routes.workloads.logs import KINDS, SHARDS
from streamon_lab.bench.stopwatch import Run, Stopwatch

ONE, ONE_AGAIN = "one route", "one route again"
TREE, TREE_AGAIN = "tree", "tree again"

PREDICATES = (
    Predicate("dropping", f"shard >= {SHARDS - 1}"),
    *(Predicate(f"passing-{n}", f"shard <> {n}") for n in range(3)),
)
WRITTEN: Order = (0, 1, 2, 3)
ORDERS: tuple[Order, ...] = ((0, 2, 1, 3), (0, 3, 1, 2), (0, 1, 3, 2))
"""By kind. None is the order as it is written, which has code of its own."""


@dataclass(frozen=True)
class Classifier:
    """Processor times of the filter with one route and with a tree, by the name of the variant."""

    rows: int
    timings: Mapping[str, Timings]

    @property
    def nanos(self) -> float:
        """Nanoseconds that the tree takes for a row. Noise may make it negative."""
        return self._nanos(TREE, TREE_AGAIN) - self._nanos(ONE, ONE_AGAIN)

    @property
    def noise(self) -> float:
        """Nanoseconds for a row that two equal variants are apart: the more of the two pairs."""
        pairs = (ONE, ONE_AGAIN), (TREE, TREE_AGAIN)
        return max(abs(self._nanos(a) - self._nanos(b)) for a, b in pairs)

    @property
    def is_above_noise(self) -> bool:
        """Whether the time of the tree is more than noise."""
        return self.nanos > self.noise

    def as_json(self) -> dict[str, Any]:
        """The figures, and the runs that they come from."""
        return {
            "ns_a_row": round(self.nanos, 2),
            "noise_ns_a_row": round(self.noise, 2),
            "above_noise": self.is_above_noise,
            "cpu_samples": {name: [round(s, 4) for s in t.cpu_seconds] for name, t in self.timings.items()},
        }

    def _nanos(self, *variants: str) -> float:
        seconds = [s for v in variants for s in self.timings[v].cpu_seconds]
        return statistics.median(seconds) / self.rows * 1e9


def measure_classifier(
    watch: Stopwatch, workload: Workload, rows: int, rounds: int, tick: Callable[[str], None]
) -> Classifier:
    """Times the filter on the rows of a workload of logs.

    Args:
        watch: runs the queries.
        workload: has the columns `kind` and `shard`.
        rows: how many rows it has.
        rounds: how many runs of each variant are measured.
        tick: is told what is running.

    Raises:
        UnexpectedPlanError: a run had other routes than it should.
    """

    def check(variant: Variant, _: Run) -> None:
        found = tuple(route.order for route in last_routes(watch.spark, WRITTEN))
        if found != expected[variant.name]:
            raise UnexpectedPlanError(
                f"{variant.name} had the routes {found}, and should have {expected[variant.name]}"
            )

    expected = {ONE: ORDERS[:1], TREE: ORDERS, ONE_AGAIN: ORDERS[:1], TREE_AGAIN: ORDERS}
    cheap = Workload(
        "classifier",
        "a filter that does next to nothing",
        PREDICATES,
        workload.table,
        columns=("shard",),
        selected=("kind",),
    )
    variants = [
        Variant(
            name,
            cheap.query(WRITTEN, hint(ALGORITHMS[QUERY_MESH])),
            {**workload.conf, FILTER: forced(orders)},
        )
        for name, orders in expected.items()
    ]
    run = interleaved(
        lambda v: watch.run(v.query, v.conf),
        variants,
        rounds,
        after=check,
        tick=lambda name: tick(f"classifier, {name}"),
    )
    return Classifier(rows, run)


def forced(orders: tuple[Order, ...]) -> str:
    """Routes as the setting has them: one order for all rows, or one for each kind."""
    return by_value("kind", dict(zip(KINDS, orders, strict=False)))
