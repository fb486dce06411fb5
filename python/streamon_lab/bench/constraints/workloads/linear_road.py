"""The queries of Linear Road that constraints help (thesis, Table 6.3), as joins of streams.

What the thesis has as windows of the latest report of a car is the number of a report here, and windows
are of time: a report meets the car that has entered, its own accident, its own exit, or the toll of its
minute. What is joined is there before the report: RIDS(0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from streamon_lab.bench.constraints import variants
from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import road, streams
from streamon_lab.bench.datasets import cached
from streamon_lab.bench.streaming.workload import JoinWorkload

TRIP, FIVE = 20, 5
"""Minutes: longer than any car is on the road; what tolls are for."""


@dataclass(frozen=True)
class Query:
    """Of the latest reports `r` with children `a` or `x`; all within `minutes` of each other."""

    name: str
    title: str
    hints: str
    columns: str
    on: Mapping[str, str]
    minutes: int
    schemas: Mapping[str, str]
    data: Callable[[road.Reports], dict[str, streams.Columns]]

    @property
    def sql(self) -> str:
        """With its hints."""
        interval = f"INTERVAL {self.minutes} MINUTES"
        joins = "".join(
            f" JOIN {child} ON r.{key} = {child}.{key} "
            f"AND r.t < {child}.t + {interval} AND {child}.t < r.t + {interval}"
            for child, key in self.on.items()
        )
        return f"SELECT /*+ {self.hints} */ {self.columns} FROM r{joins}"


REPORTS = "cid BIGINT, rid BIGINT, sid BIGINT, ts BIGINT"
CARS, NUMBERS = "cid BIGINT, ts BIGINT", "rid BIGINT, ts BIGINT"

QUERIES = (
    Query(
        "CurCarSeg",
        "reports of cars on the road",
        "UNIQUE(a, cid)",
        "r.rid AS rid, r.sid AS sid",
        {"a": "cid"},
        TRIP,
        {"r": REPORTS, "a": CARS},
        lambda r: {"r": road.positions(r), "a": road.active(r)},
    ),
    Query(
        "AccSeg",
        "reports of cars on the road that stand",
        "UNIQUE(a, cid), UNIQUE(x, rid), K_CONSTRAINT('RIDS', r, x, 0)",
        "r.rid AS rid, r.sid AS sid",
        {"a": "cid", "x": "rid"},
        TRIP,
        {"r": REPORTS, "a": CARS, "x": NUMBERS},
        lambda r: {"r": road.positions(r), "a": road.active(r), "x": road.standing(r)},
    ),
    Query(
        "CarExitStr",
        "reports from the exit lane",
        "UNIQUE(x, rid), K_CONSTRAINT('RIDS', r, x, 0)",
        "r.rid AS rid, r.sid AS sid",
        {"x": "rid"},
        FIVE,
        {"r": REPORTS, "x": NUMBERS},
        lambda r: {"r": road.positions(r), "x": road.exits(r)},
    ),
    Query(
        "NegTollStr",
        "tolls of the segment and minute of a report",
        "UNIQUE(x, place), K_CONSTRAINT('RIDS', r, x, 0)",
        "r.cid AS cid, r.place AS place, x.toll AS toll",
        {"x": "place"},
        FIVE,
        {"r": "place BIGINT, cid BIGINT, ts BIGINT", "x": "place BIGINT, toll BIGINT, ts BIGINT"},
        lambda r: {"r": road.by_minute(r), "x": road.tolls(r)},
    ),
)

NAMES = tuple(f"linear-road-{query.name}" for query in QUERIES)


def workloads(root: Path, sizes: ConstraintSizes) -> list[JoinWorkload]:
    """`CurCarSeg`, `AccSeg`, `CarExitStr` and `NegTollStr`, each as `linear-road-` with its name."""
    seconds, count = int(sizes.cars / sizes.cars_per_second), sizes.road_files

    def workload(query: Query) -> JoinWorkload:
        def generate(folder: Path) -> None:
            reports = road.reports(sizes.cars, sizes.cars_per_second)
            streams.write(folder, query.data(reports), seconds * 1_000, count)

        folder = cached(root, f"constraints-{query.name}-{sizes.cars}-{count}", generate)
        growing = min(ceil(query.minutes * 60 * count / seconds) + 1, count - 1)
        return streams.workload(
            f"linear-road-{query.name}",
            query.title,
            query.schemas,
            query.sql,
            folder,
            count,
            variants.COMPARED,
            growing,
        )

    return [workload(query) for query in QUERIES]
