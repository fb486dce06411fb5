"""`streamon bench`: measures StreaMon against stock Spark."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from streamon.bench.datasets import FULL, QUICK
from streamon.bench.filters import Bench, Measured
from streamon.bench.markdown import as_markdown
from streamon.bench.report import as_json, as_table, judged
from streamon.bench.session import bench_session, environment
from streamon.bench.stopwatch import Stopwatch
from streamon.bench.workloads import FAMILIES

ROUNDS, QUICK_ROUNDS = 7, 3

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)


@app.callback()
def bench() -> None:
    """Measure StreaMon against stock Spark."""


@app.command()
def filters(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Write the result there as JSON, and a page beside it."),
    ] = None,
    as_json_text: Annotated[bool, typer.Option("--json", help="Without FILE: print it as JSON.")] = False,
    quick: Annotated[bool, typer.Option(help="Little data, few rounds: does it work?")] = False,
    data: Annotated[Path, typer.Option(help="Where the data is kept once made.")] = Path("build/bench-data"),
    rounds: Annotated[int | None, typer.Option(min=1, help="Measured runs of each variant.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only workloads whose name starts so.")] = None,
    stock: Annotated[bool, typer.Option(help="Measure stock Spark alone: what there is to win.")] = False,
    cores: Annotated[int, typer.Option(min=1, help="Threads for Spark's tasks.")] = 2,
) -> None:
    """Adaptive filters against fixed orders: time, filters evaluated, regret."""
    console = Console(stderr=True)
    if not console.is_terminal:
        console.width = 150
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    started = time.monotonic()
    measured: list[Measured] = []
    with Progress(
        TextColumn("{task.description:<46}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        making = progress.add_task("making the data", total=len(FAMILIES))
        workloads, samples = [], {}
        for family in FAMILIES.values():
            samples.update({w.name: w.table for w in family(data, QUICK)})
            workloads += family(data, sizes)
            progress.advance(making)
        chosen = [w for w in workloads if not only or w.name.startswith(tuple(only))]
        if not chosen:
            names = ", ".join(w.name for w in workloads)
            raise typer.BadParameter(f"No workload starts with {' or '.join(only or [])}; there are {names}.")
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=cores, adaptive=not stock)
        about = environment(spark, cores)
        progress.advance(starting)
        measuring = progress.add_task("measuring", total=len(chosen))
        runner = Bench(Stopwatch(spark), data / "pass-counts", rounds, streamon=not stock)
        for workload in chosen:
            tick = partial(_show, progress, measuring, workload.name)
            measured.append(runner.measure(workload, samples[workload.name], tick))
            progress.advance(measuring)
            if not console.is_terminal:  # where no bar moves
                console.print(f"{workload.name} measured, {len(measured)} of {len(chosen)}")
        progress.update(measuring, description="measured")
    spark.stop()
    method = {
        "quick": quick,
        "rounds": rounds,
        "learned_state": "none at the start of each run",
        "minutes": round((time.monotonic() - started) / 60, 1),
    }
    result = as_json(measured, about, method)
    console.print(as_table(result))
    for name, value, target, met in judged(result):
        mark = "" if met is None else "[green]met[/]" if met else "[red]missed[/]"
        console.print(f"{name:>24} {value:>8} {target:>8} {mark}")
    text = json.dumps(result, indent=2)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
        file.with_suffix(".md").write_text(as_markdown(result, file.name))
        console.print(f"written: {file} and {file.with_suffix('.md')}")
    elif as_json_text:
        typer.echo(text)


def _show(progress: Progress, task: TaskID, workload: str, what: str) -> None:
    progress.update(task, description=f"{workload}: {what}")
