"""Real flights, filtered by what depends on where they leave from and on whose planes they are.

"Flights over 700 miles with fewer than 150 seats, on planes of four makers, and not from Newark."
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.workload import Predicate, Workload
from streamon_lab.bench.filters.workloads import flights
from streamon_lab.bench.routes import apart
from streamon_lab.samples.flights import FLIGHTS

NAME = "flights"
COLUMNS = ("txt", "js")
SELECTED = ("carrier", "origin")
PREDICATES = (
    Predicate("seats", "CAST(get_json_object(js, '$.plane.seats') AS INT) < 150"),
    Predicate("miles", "CAST(get_json_object(js, '$.route.miles') AS INT) > 700"),
    Predicate("from", "get_json_object(js, '$.route.from') <> 'EWR'"),
    Predicate("maker", "txt RLIKE '(EMBRAER|BOMBARDIER|CANADAIR|AIRBUS)'"),
)
KINDS = ("maker", "from", "miles", "seats")
"""By the conjunct to begin with. An order for each pair of carrier and origin wins hardly more."""
MILES = ("9E", "EV", "US", "YV")
"""Carriers most of whose flights are short."""
SEATS = ("B6", "F9", "VX")
"""Carriers that have mostly large planes of one of the makers."""
EITHER = "DL"
"""The carrier whose makers drop most flights, except from Newark."""


def kinds(rows: pa.Table) -> npt.NDArray[np.int_]:
    """Which of the kinds each flight is."""
    carrier, origin = (rows[name].to_numpy() for name in SELECTED)
    newark, miles = origin == "EWR", np.isin(carrier, MILES)
    maker = ~miles & ~np.isin(carrier, SEATS) & ~(newark & (carrier == EITHER))
    return np.select([maker, newark, miles], [0, 1, 2], default=3)


def generate(folder: Path, root: Path, rows: int) -> None:
    """Writes flights that are taken evenly from the year, or from several copies of it."""
    whole = pq.read_table(flights.table(root, -(-rows // FLIGHTS)), columns=[*SELECTED, *COLUMNS])
    taken = whole.take(np.linspace(0, len(whole) - 1, rows).astype(int))
    half = rows // apart.FILES
    for file in range(apart.FILES):
        part = taken.slice(file * half, half)
        apart.write(folder, file, [(part, KINDS, kinds(part))])


def workload(root: Path, rows: int) -> Workload:
    """The workload over files under a folder, which are made if they are not there."""
    folder = cached(root, f"routes-flights-{rows}", lambda out: generate(out, root, rows))
    return Workload(
        NAME,
        "real flights, JSON and RLIKE, whose best orders differ by carrier and origin",
        PREDICATES,
        folder / apart.WHOLE,
        segments=tuple(folder / name for name in KINDS),
        conf=apart.CONF,
        columns=COLUMNS,
        selected=SELECTED,
    )
