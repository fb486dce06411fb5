"""`streamon bench joins`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from streamon.bench import terminal
from streamon.bench.joins import markdown, report
from streamon.bench.joins.bench import Measured, measure
from streamon.bench.joins.runner import Runner
from streamon.bench.joins.sizes import FULL, QUICK
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
            workloads += family(data, sizes)
            progress.advance(making)
        chosen = terminal.chosen(workloads, only)
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=cores, adaptive=True)
        try:
            about = environment(spark, cores)
            progress.advance(starting)
            runner = Runner(spark, checkpoints)

            def measure_one(workload: JoinWorkload, tick: Callable[[str], None]) -> None:
                measured.append(measure(runner, workload, rounds, tick))

            terminal.measure_each(chosen, progress, measure_one)
        finally:
            spark.stop()
            shutil.rmtree(checkpoints, ignore_errors=True)
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
