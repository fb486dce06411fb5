"""`streamon bench`: measures StreaMon against stock Spark."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from streamon_lab.bench import markdown, report, terminal
from streamon_lab.bench.caching import cli as caching_cli
from streamon_lab.bench.constraints import cli as constraints_cli
from streamon_lab.bench.datasets import FULL, QUICK
from streamon_lab.bench.filters import Bench, Measured
from streamon_lab.bench.joins import cli as joins_cli
from streamon_lab.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon_lab.bench.python import cli as python_cli
from streamon_lab.bench.session import bench_session, environment
from streamon_lab.bench.stopwatch import Stopwatch
from streamon_lab.bench.targets import judged
from streamon_lab.bench.workload import Workload
from streamon_lab.bench.workloads import FAMILIES

ROUNDS, QUICK_ROUNDS = 7, 3

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)
app.command()(joins_cli.joins)
app.command()(caching_cli.caching)
app.command()(constraints_cli.constraints)
app.command()(python_cli.python)


@app.callback()
def bench() -> None:
    """Measure StreaMon against stock Spark."""


@app.command()
def filters(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    stock: Annotated[bool, typer.Option(help="Measure stock Spark alone: what there is to win.")] = False,
    cores: Cores = 2,
) -> None:
    """Adaptive filters against fixed orders: time, filters evaluated, regret."""
    console = terminal.console()
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    started = time.monotonic()
    measured: list[Measured] = []
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=len(FAMILIES))
        workloads, samples = [], {}
        for family in FAMILIES.values():
            samples.update({w.name: w.table for w in family(data, QUICK)})
            workloads += family(data, sizes)
            progress.advance(making)
        chosen = terminal.chosen(workloads, only)
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=cores, adaptive=not stock)
        about = environment(spark, cores)
        progress.advance(starting)
        runner = Bench(Stopwatch(spark), data / "pass-counts", rounds, streamon=not stock)

        def measure(workload: Workload, tick: Callable[[str], None]) -> None:
            measured.append(runner.measure(workload, samples[workload.name], tick))

        terminal.measure_each(chosen, progress, measure)
    spark.stop()
    method = {
        "quick": quick,
        "rounds": rounds,
        "learned_state": "none at the start of each run",
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
