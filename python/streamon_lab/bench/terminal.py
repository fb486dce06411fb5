"""What the bench's commands show while they run, and how they hand over a result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from streamon_lab.bench.families import Family, W
from streamon_lab.bench.targets import Judged

STDOUT = Path("-")
"""The name of a file that stands for stdout."""


def console() -> Console:
    """For stderr: stdout is for results alone."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    found = Console(stderr=True)
    if not found.is_terminal:
        found.width = 150
    return found


def progress(on: Console) -> Progress:
    """A bar for each phase."""
    return Progress(
        TextColumn("{task.description:<46}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=on,
    )


def made(families: Sequence[Family[W]], shown: Progress) -> list[W]:
    """The workloads of families, whose data is generated one family after the other."""
    task = shown.add_task("generating the data", total=len(families))
    found: list[W] = []
    for family in families:
        found += family.workloads()
        shown.advance(task)
    return found


def measure_each(
    workloads: Sequence[W], shown: Progress, measure: Callable[[W, Callable[[str], None]], None]
) -> None:
    """Measures one workload after the other, and shows what is running."""
    task = shown.add_task("measuring", total=len(workloads))
    for done, workload in enumerate(workloads, start=1):

        def tick(what: str, name: str = workload.name) -> None:
            shown.update(task, description=f"{name}: {what}")

        measure(workload, tick)
        shown.advance(task)
        if not shown.console.is_terminal:  # where no bar moves
            shown.console.print(f"{workload.name} measured, {done} of {len(workloads)}")
    shown.update(task, description="measured")


def table(
    title: str,
    rows: Sequence[Sequence[str]],
    names: int,
    widest: tuple[int | None, int | None] = (None, None),
) -> Table:
    """Rows as a table, the heading first; columns past the first `names` hold numbers.

    `widest` bounds the columns of names, and those of numbers.
    """
    heading, *body = rows
    shown = Table(title=title)
    for i, name in enumerate(heading):
        shown.add_column(
            name, justify="left" if i < names else "right", max_width=widest[0 if i < names else 1]
        )
    for row in body:
        shown.add_row(*row)
    return shown


def conclude(
    result: dict[str, Any],
    table: Table,
    figures: Sequence[Judged],
    page: Callable[[str], str],
    *,
    json_file: Path | None,
    on: Console,
) -> None:
    """Show a result, and write it.

    Args:
        result: what was measured, for JSON.
        table: what was measured, for the terminal.
        figures: the figures with their targets.
        page: makes the page of the result from the name of its JSON file.
        json_file: where to write the JSON, with the page beside it; `-` prints the JSON on stdout.
        on: the console for everything else.
    """
    on.print(table)
    for name, value, target, met in figures:
        mark = "" if met is None else "[green]met[/]" if met else "[red]missed[/]"
        on.print(f"{name:>24} {value:>12} {target:>8} {mark}")
    if json_file is None:
        return
    text = json.dumps(result, indent=2)
    if json_file == STDOUT:
        typer.echo(text)
        return
    json_file.parent.mkdir(parents=True, exist_ok=True)
    json_file.write_text(text + "\n")
    json_file.with_suffix(".md").write_text(page(json_file.name))
    on.print(f"written: {json_file} and {json_file.with_suffix('.md')}")
