"""Cars on an expressway of 100 segments, by our own generator: the data set of 2003 is not to be had.

Cars enter at a constant rate, each with a number of its own, report every 30 seconds for 10 to 30 reports,
the last of them from the exit lane, and move on a segment every other report. One in a hundred stops, for 8
reports. The lab models them alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from streamon_lab.bench.constraints.workloads.streams import Columns

SEED = 5
SEGMENTS = 100
EVERY = 30
"""Seconds between two reports."""
STOPS, STANDING, STANDS = 0.01, 8, 3
"""The share of cars that stop; the reports of that; and after how many of them a car is an accident."""
MOST_REPORTS = 64
"""More than any car sends: a report's number is that of its car times this, and its own."""
LAG = 500
"""Milliseconds by which a report comes after what it refers to, of the same second."""


@dataclass(frozen=True)
class Reports:
    """All reports, a column each; `first`, `exits` and `stands` say what a report is of its car."""

    second: np.ndarray
    cid: np.ndarray
    rid: np.ndarray
    sid: np.ndarray
    first: np.ndarray
    exits: np.ndarray
    stands: np.ndarray

    def at(self, which: np.ndarray, lag: int = 0) -> np.ndarray:
        """When those come, in milliseconds."""
        return np.asarray(self.second[which] * 1_000 + lag)


def reports(cars: int, per_second: float) -> Reports:
    """What cars report until the last has entered."""
    rng = np.random.default_rng(SEED)
    found: list[tuple[int, ...]] = []
    for car in range(cars):
        second, count = int(car / per_second) + int(rng.integers(EVERY)), 10 + int(rng.integers(21))
        stop = int(rng.integers(count)) if rng.random() < STOPS else count
        enter, number = int(rng.integers(80)), 0
        for at in range(count):
            for standing in range(STANDING + 1 if at == stop else 1):
                segment = (enter + at // 2) % SEGMENTS
                rid = car * MOST_REPORTS + number
                found.append(
                    (second, car, rid, segment, number == 0, at == count - 1, standing >= STANDS),
                )
                number += 1
                second += EVERY
    until = int(cars / per_second)
    second, cid, rid, sid, first, exits, stands = np.array([r for r in found if r[0] < until]).T
    return Reports(second, cid, rid, sid, first > 0, exits > 0, stands > 0)


def positions(r: Reports) -> Columns:
    """Each report: the latest position of a car, until its next."""
    return {"cid": r.cid, "rid": r.rid, "sid": r.sid, "ts": r.second * 1_000 + LAG}


def active(r: Reports) -> Columns:
    """Cars that are on the road, when they enter."""
    return {"cid": r.cid[r.first], "ts": r.at(r.first)}


def standing(r: Reports) -> Columns:
    """Reports of cars whose last four are from one place."""
    return {"rid": r.rid[r.stands], "ts": r.at(r.stands)}


def exits(r: Reports) -> Columns:
    """Reports from the exit lane."""
    return {"rid": r.rid[r.exits], "ts": r.at(r.exits)}


def by_minute(r: Reports) -> Columns:
    """Each report by its segment and minute."""
    return {"place": r.second // 60 * SEGMENTS + r.sid, "cid": r.cid, "ts": r.second * 1_000 + LAG}


def tolls(r: Reports) -> Columns:
    """Tolls above nothing, of three segments in ten, told at the begin of a minute."""
    rng = np.random.default_rng([SEED, 1])
    place = np.arange((int(r.second.max()) // 60 + 1) * SEGMENTS)
    place = place[rng.integers(10, size=len(place)) < 3]
    return {
        "place": place,
        "toll": rng.integers(1, 10, size=len(place)),
        "ts": place // SEGMENTS * 60_000,
    }
