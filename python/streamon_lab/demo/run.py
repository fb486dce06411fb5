"""Runs the demo: a year of real flights through an adaptive filter and an MJoin, and one page about it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import streamon
from streamon_lab.bench.session import bench_session
from streamon_lab.demo import functions, plots
from streamon_lab.demo.counts import month_counts
from streamon_lab.demo.joins import DAYS, Joined, join
from streamon_lab.demo.page import Called, Result, drift, last_of_each_month, names, page, why
from streamon_lab.demo.query import QUESTION, WITH_PYTHON
from streamon_lab.demo.scenes import MONTHS, Scene, scenes
from streamon_lab.demo.stream import Streamed, batch_answer, stream


def run_demo(out: Path, data: Path) -> bool:
    """Run the filter and the join with StreaMon off and on, and write one HTML page.

    Args:
        out: the page to write; its folder is made.
        data: the folder of the data, which is generated once.

    Returns:
        Whether all answers are those of stock Spark.
    """
    console = Console()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    console.print(f"[bold]{QUESTION}[/]")
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(
            TextColumn("{task.description:<44}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
        ) as progress,
    ):
        step = progress.add_task("making the data", total=1)
        found = scenes(data)
        progress.advance(step)
        step = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=2, adaptive=True)
        progress.advance(step)
        results = [_run(spark, scene, Path(folder) / f"scene{i}", progress) for i, scene in enumerate(found)]
        called = _call(spark, found[0], Path(folder), progress)
        stock, mjoin = (_join(spark, Path(folder), progress, adaptive=a) for a in (False, True))
    spark.stop()
    for result in results:
        _show(console, result)
    _show_function(console, called)
    _show_joins(console, stock, mjoin)
    console.print(drift(results))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(results, _plots(results, stock, mjoin), called, (stock, mjoin), streamon.__version__))
    console.print(f"\nThe page: [bold]{out.resolve()}[/]")
    equal = all(r.equal for r in results) and called.equal and stock.answer == mjoin.answer
    if not equal:
        console.print("[red]The answers differ from stock Spark's: please report this.[/]")
    return equal


def _run(spark: SparkSession, scene: Scene, folder: Path, progress: Progress) -> Result:
    step = progress.add_task(f"{scene.title}: counting", total=2)
    expected = batch_answer(spark, scene)
    progress.advance(step)
    counts = month_counts(spark, scene)
    progress.advance(step)

    def ticker(label: str) -> Callable[[], None]:
        task = progress.add_task(f"{scene.title}: {label}", total=len(scene.months))
        return lambda: progress.advance(task)

    off = stream(spark, scene, folder.with_name(folder.name + "_off"), adaptive=False, tick=ticker("off"))
    on = stream(spark, scene, folder.with_name(folder.name + "_on"), adaptive=True, tick=ticker("on"))
    return Result(
        scene,
        off,
        on,
        counts,
        equal=off.answer == expected and on.answer == expected,
    )


def _call(spark: SparkSession, scene: Scene, folder: Path, progress: Progress) -> Called:
    functions.register(spark)

    def run(label: str, *, adaptive: bool) -> Streamed:
        task = progress.add_task(f"{scene.title}, a Python function: {label}", total=len(scene.months))
        return stream(
            spark,
            scene,
            folder / f"called_{label}",
            adaptive=adaptive,
            tick=lambda: progress.advance(task),
            predicates=WITH_PYTHON,
        )

    off, on = run("off", adaptive=False), run("on", adaptive=True)
    return Called(off, on, equal=off.answer == on.answer == batch_answer(spark, scene, WITH_PYTHON))


def _join(spark: SparkSession, folder: Path, progress: Progress, *, adaptive: bool) -> Joined:
    label = "MJoin" if adaptive else "Spark's own joins"
    task = progress.add_task(f"a join of three streams: {label}", total=DAYS)
    name = "joined_on" if adaptive else "joined_off"
    return join(spark, folder / name, DAYS, adaptive=adaptive, tick=lambda: progress.advance(task))


def _show_joins(console: Console, stock: Joined, mjoin: Joined) -> None:
    console.rule("Flights with their weather and their planes")
    equal = "equal, row for row, to" if stock.answer == mjoin.answer else "[red]not equal to[/]"
    console.print(f"The answer: {mjoin.answer.total():,} rows, {equal} stock Spark's.")
    table = Table("", "Spark's own joins", "MJoin")
    table.add_row("rows a second", f"{stock.rows_per_second:,.0f}", f"{mjoin.rows_per_second:,.0f}")
    table.add_row(
        "rows in the state at the end", f"{stock.days[-1].state_rows:,}", f"{mjoin.days[-1].state_rows:,}"
    )
    console.print(table)


def _show_function(console: Console, called: Called) -> None:
    console.rule("The same year, with the distance as a Python function")
    equal = "equal, row for row, to" if called.equal else "[red]not equal to[/]"
    console.print(f"The answer: {called.on.answer.total():,} flights, {equal} stock Spark's.")
    table = Table("", "StreaMon off", "StreaMon on")
    for row in called.rows:
        table.add_row(*row)
    console.print(table)


def _show(console: Console, result: Result) -> None:
    equal = "equal, row for row, to" if result.equal else "[red]not equal to[/]"
    console.rule(result.scene.title)
    console.print(f"The answer: {result.on.answer.total():,} flights, {equal} stock Spark's.")
    table = Table("", "StreaMon off", "StreaMon on")
    table.add_row("filters evaluated", f"{sum(result.written):,}", f"{result.evaluated:,}")
    table.add_row("processor time", f"{result.off.cpu_seconds:.1f} s", f"{result.on.cpu_seconds:.1f} s")
    table.add_row("all micro-batches", f"{result.off.seconds:.1f} s", f"{result.on.seconds:.1f} s")
    console.print(table)
    console.print(f"The order changed {len(result.on.changes)} times; the last change of each month:")
    for change in last_of_each_month(result.on.changes):
        console.print(f"{MONTHS[change.month]}: {names(change.new)}\n     [dim]{why(change)}[/]")


def _plots(results: list[Result], stock: Joined, mjoin: Joined) -> tuple[str, str, str, str]:
    titles = [r.scene.title for r in results]
    return (
        plots.evaluations(
            titles,
            [r.rows for r in results],
            [r.written for r in results],
            [[m.evaluated for m in r.on.months] for r in results],
            [r.fewest for r in results],
        ),
        plots.orders(titles, [[m.order for m in r.on.months] for r in results]),
        plots.times(titles, [r.off.cpu_seconds for r in results], [r.on.cpu_seconds for r in results]),
        plots.state([d.state_rows for d in stock.days], [d.state_rows for d in mjoin.days]),
    )
