"""`streamon bench python`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from streamon_lab.bench import terminal
from streamon_lab.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon_lab.bench.python import markdown, report
from streamon_lab.bench.python.bench import Effort, Measured, measure
from streamon_lab.bench.python.sizes import FULL, QUICK
from streamon_lab.bench.python.summary import TARGETS
from streamon_lab.bench.python.workload import PythonWorkload
from streamon_lab.bench.python.workloads import workloads
from streamon_lab.bench.session import bench_session, environment
from streamon_lab.bench.stopwatch import Stopwatch
from streamon_lab.bench.targets import judged

FULL_EFFORT, QUICK_EFFORT = Effort(rounds=5, cost_runs=3), Effort(rounds=1, cost_runs=1)


def python(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
) -> None:
    """Filters on Python functions: one adaptive worker against stock Spark, chains, and functions by hand."""
    console = terminal.console()
    sizes, effort = (QUICK, QUICK_EFFORT) if quick else (FULL, FULL_EFFORT)
    effort = replace(effort, rounds=rounds or effort.rounds)
    started = time.monotonic()
    measured: list[Measured] = []
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=2)
        samples: dict[str, Path] = {}
        for of in (QUICK, sizes):
            made = workloads(data, of)
            samples = samples or {w.name: w.table for w in made}
            progress.advance(making)
        chosen = terminal.chosen(made, only)
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=cores, adaptive=True)
        about = environment(spark, cores)
        progress.advance(starting)
        watch = Stopwatch(spark)

        def run(workload: PythonWorkload, tick: Callable[[str], None]) -> None:
            sample = samples[workload.name]
            measured.append(measure(watch, workload, sample, data / "pass-counts", effort, tick))

        terminal.measure_each(chosen, progress, run)
    spark.stop()
    method = {"quick": quick, "rounds": effort.rounds, "minutes": round((time.monotonic() - started) / 60, 1)}
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
