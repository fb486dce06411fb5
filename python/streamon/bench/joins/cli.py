"""`streamon bench joins`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamon.bench import terminal
from streamon.bench.joins import markdown, report
from streamon.bench.joins.session import Session
from streamon.bench.joins.sizes import FULL, QUICK
from streamon.bench.joins.variants import Engine
from streamon.bench.joins.workload import JoinWorkload
from streamon.bench.joins.workloads import FAMILIES
from streamon.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon.bench.targets import judged

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
    console = terminal.console()
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=len(FAMILIES))
        workloads: list[JoinWorkload] = []
        for family in FAMILIES.values():
            workloads += [w if flink else w.without(Engine.FLINK) for w in family(data, sizes)]
            progress.advance(making)
        chosen = terminal.chosen(workloads, only)
        session = Session(data, cores, rounds, quick, flink)
        result = report.as_json(*session.measure(chosen, progress))
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], report.TARGETS),
        lambda name: markdown.as_markdown(result, name),
        file=file,
        as_text=as_json_text,
        on=console,
    )
