"""`streamon bench joins`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from streamon_lab.bench.joins import markdown, report
from streamon_lab.bench.joins.command import Command
from streamon_lab.bench.joins.session import Session
from streamon_lab.bench.joins.sizes import FULL, QUICK
from streamon_lab.bench.joins.variants import Engine
from streamon_lab.bench.joins.workload import JoinWorkload
from streamon_lab.bench.joins.workloads import FAMILIES, Family
from streamon_lab.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds

ROUNDS, QUICK_ROUNDS = 2, 1


def joins(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
    flink: Annotated[
        Path | None, typer.Option(help="A Python that has `apache-flink`: measure Flink as well.")
    ] = None,
) -> None:
    """Joins of many streams: one MJoin against Spark's chain of joins, and against the batch join."""
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)

    def made(family: Family) -> list[JoinWorkload]:
        return [w if flink else w.without(Engine.FLINK) for w in family(data, sizes)]

    families = [partial(made, family) for family in FAMILIES.values()]
    command = Command(families, report.as_json, report.as_table, markdown.as_markdown, report.TARGETS)
    command.run(Session(data, cores, rounds, quick, flink), only, file=file, as_text=as_json_text)
