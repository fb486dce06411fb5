"""The two inputs of the demo, each twelve parquet files: the real year, and the year with an incident."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from streamon_lab.bench.datasets import cached
from streamon_lab.samples.flights import write_months

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
INCIDENT_FROM = 7
"""The first month (from 1) of the incident."""

INCIDENT = (
    "from July on fog lies over New York, every departure is two hours later, and the aircraft registry does "
    "not answer: nine of ten records lack the plane's maker, model, engine and seats"
)

_INJECT = """
COPY (
  SELECT * EXCLUDE (late, told, lost) REPLACE (
    dep_delay + 120 AS dep_delay,
    CASE WHEN lost THEN concat(left(late, strpos(late, airline) + length(airline) - 1), ' sched ',
                               split_part(late, ' sched ', 2)) ELSE late END AS txt,
    CASE WHEN lost THEN regexp_replace(told, '"maker":.*"seats":[^}}]*', '"maker":null,"seats":null')
         ELSE told END AS js)
  FROM (SELECT *, replace(txt, 'delay ' || dep_delay, 'delay ' || (dep_delay + 120)) AS late,
               regexp_replace(replace(js, '"delay":' || dep_delay, '"delay":' || (dep_delay + 120)),
                              '"visib":[^}}]*', '"visib":0.5') AS told,
               (flight * 7919 + day) % 10 < 9 AS lost
        FROM '{source}')
) TO '{target}' (FORMAT parquet, COMPRESSION snappy)
"""


@dataclass(frozen=True)
class Scene:
    """An input: its title, what it is, and a file for each month in order."""

    title: str
    about: str
    months: tuple[Path, ...]


def scenes(root: Path) -> tuple[Scene, Scene]:
    """The real year and the year with the incident; their files are made under `root`, once."""
    real = cached(root, "demo-flights", write_months)
    incident = cached(root, "demo-incident", lambda folder: _inject(real, folder))
    return (
        Scene("2013 as it was", "real flights from New York", _files(real)),
        Scene("2013 with an injected incident", f"the same flights; {INCIDENT}", _files(incident)),
    )


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*.parquet")))


def _inject(real: Path, folder: Path) -> None:
    import duckdb

    for month, source in enumerate(_files(real), start=1):
        target = folder / source.name
        if month < INCIDENT_FROM:
            shutil.copyfile(source, target)
        else:
            with duckdb.connect() as db:
                db.execute("SET preserve_insertion_order = true")
                db.execute(_INJECT.format(source=source, target=target))
