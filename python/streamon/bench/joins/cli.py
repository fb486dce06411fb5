"""`streamon bench joins`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from streamon.bench import terminal
from streamon.bench.joins import markdown, report
from streamon.bench.joins.bench import Measured, measure
from streamon.bench.joins.flink import Flink
from streamon.bench.joins.runner import Runner
from streamon.bench.joins.sizes import FULL, QUICK
from streamon.bench.joins.variants import Engine
from streamon.bench.joins.workload import JoinWorkload
from streamon.bench.joins.workloads import FAMILIES
from streamon.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon.bench.session import bench_session, environment
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
    started = time.monotonic()
    measured: list[Measured] = []
    checkpoints = data / "join-checkpoints"
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=len(FAMILIES))
        workloads: list[JoinWorkload] = []
        for family in FAMILIES.values():
            workloads += [w if flink else w.without(Engine.FLINK) for w in family(data, sizes)]
            progress.advance(making)
        chosen = terminal.chosen(workloads, only)
        starting = progress.add_task("starting Spark", total=1)
        with ExitStack() as stack:
            spark = bench_session(cores=cores, adaptive=True)
            stack.callback(shutil.rmtree, checkpoints, ignore_errors=True)
            stack.callback(spark.stop)
            about: report.Json = {**environment(spark, cores)}
            service = stack.enter_context(Flink(flink, cores)) if flink else None
            about["flink"] = service.version if service else None
            progress.advance(starting)
            runner = Runner(spark, checkpoints, service)

            def measure_one(workload: JoinWorkload, tick: Callable[[str], None]) -> None:
                measured.append(measure(runner, workload, rounds, tick))

            terminal.measure_each(chosen, progress, measure_one)
    method = {
        "quick": quick,
        "rounds": rounds,
        "minutes": round((time.monotonic() - started) / 60, 1),
    }
    result = report.as_json(measured, about, method)
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], report.TARGETS),
        lambda name: markdown.as_markdown(result, name),
        file=file,
        as_text=as_json_text,
        on=console,
    )
