"""`streamon bench caching`."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from streamon.bench import terminal
from streamon.bench.caching import markdown, report
from streamon.bench.caching.sizes import FULL, QUICK
from streamon.bench.caching.summary import TARGETS
from streamon.bench.caching.workloads import workloads
from streamon.bench.joins.bench import Measured, measure
from streamon.bench.joins.runner import Runner
from streamon.bench.joins.workload import JoinWorkload
from streamon.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon.bench.session import bench_session, environment
from streamon.bench.targets import judged

ROUNDS, QUICK_ROUNDS = 2, 1


def caching(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
) -> None:
    """Caches of subresults: MJoins with them against MJoins without, and against Spark's chain."""
    console = terminal.console()
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    started = time.monotonic()
    measured: list[Measured] = []
    checkpoints = data / "caching-checkpoints"
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=1)
        chosen = terminal.chosen(workloads(data, sizes), only)
        progress.advance(making)
        starting = progress.add_task("starting Spark", total=1)
        with ExitStack() as stack:
            spark = bench_session(cores=cores, adaptive=True)
            stack.callback(shutil.rmtree, checkpoints, ignore_errors=True)
            stack.callback(spark.stop)
            about: report.Json = {**environment(spark, cores)}
            progress.advance(starting)
            runner = Runner(spark, checkpoints)

            def measure_one(workload: JoinWorkload, tick: Callable[[str], None]) -> None:
                measured.append(measure(runner, workload, rounds, tick))

            terminal.measure_each(chosen, progress, measure_one)
    method = {"quick": quick, "rounds": rounds, "minutes": round((time.monotonic() - started) / 60, 1)}
    result = report.as_json(measured, about, method)
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], TARGETS),
        lambda name: markdown.as_markdown(result, name),
        file=file,
        as_text=as_json_text,
        on=console,
    )
