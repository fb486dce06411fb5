"""The question that the demo asks of each flight, in an order that is as bad as one likes to write it."""

from __future__ import annotations

from dataclasses import replace

from streamon_lab.bench.filters.workload import Predicate

QUESTION = "Which airliners flew 500 km and more in poor visibility, no more than five minutes early?"

KILOMETRES = """12742 * asin(sqrt(
  pow(sin(radians(dest_lat - origin_lat) / 2), 2) +
  cos(radians(origin_lat)) * cos(radians(dest_lat)) * pow(sin(radians(dest_lon - origin_lon) / 2), 2)))"""
"""Great-circle distance between the two airports, by the haversine formula."""

PREDICATES = (
    Predicate("by_day", "CAST(get_json_object(js, '$.dep.sched') AS INT) >= 600"),
    Predicate("airline", "txt RLIKE '(Airlines|Air Lines|Airways) .*sched'"),
    Predicate("flown", "txt LIKE '%dep%delay%arr%'"),
    Predicate("distance", f"{KILOMETRES} > 500"),
    Predicate("carrier", "carrier IN ('AA', 'B6', 'DL', 'EV', 'MQ', 'UA', 'US', 'WN')"),
    Predicate("late", "dep_delay > -5"),
    Predicate("seats", "CAST(get_json_object(js, '$.plane.seats') AS INT) >= 20"),
    Predicate("fog", "CAST(get_json_object(js, '$.wx.visib') AS DOUBLE) < 10"),
)
"""Written badly: what costs most and drops least comes first, what drops most comes last."""

WITH_PYTHON = tuple(
    replace(p, sql="kilometres(origin_lat, origin_lon, dest_lat, dest_lon) > 500")
    if p.name == "distance"
    else p
    for p in PREDICATES
)
"""The same, with the distance as a Python function."""

OUTPUT = ("flight_date", "carrier", "flight", "tailnum", "origin", "dest", "sched_dep_time", "dep_delay")

SETTINGS = {"profilingProbability": "0.05", "window": "400", "profilingBudget": "0.1"}
"""A month is a small micro-batch of 28,000 rows: to learn within one, it samples more than by default."""


def query(relation: str, predicates: tuple[Predicate, ...] = PREDICATES) -> str:
    """The query over a table or view. Its hint asks for an adaptive filter; stock Spark ignores it."""
    options = ", ".join(f"'{name}={value}'" for name, value in SETTINGS.items())
    condition = "\n  AND ".join(p.sql for p in predicates)
    return f"SELECT /*+ ADAPTIVE_FILTER({options}) */ {', '.join(OUTPUT)}\nFROM {relation}\nWHERE {condition}"
