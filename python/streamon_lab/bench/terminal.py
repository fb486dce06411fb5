"""What the bench's commands show while they run, and how they hand over a result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from streamon_lab.bench.targets import Judged


class Named(Protocol):
    """A workload, of whatever kind."""

    @property
    def name(self) -> str:
        """By which it is asked for."""


W = TypeVar("W", bound=Named)


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


def chosen(workloads: Sequence[W], only: Sequence[str] | None) -> list[W]:
    """Those whose name starts with one of `only`; all, when there is nothing in it.

    Raises:
        typer.BadParameter: there are none.
    """
    found = [w for w in workloads if not only or w.name.startswith(tuple(only))]
    if not found:
        names = ", ".join(w.name for w in workloads)
        raise typer.BadParameter(f"No workload starts with {' or '.join(only or [])}; there are {names}.")
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
    file: Path | None,
    as_text: bool,
    on: Console,
) -> None:
    """Shows a result, and writes it to `file` with its page beside it or, `as_text`, to stdout.

    `page` is told the name of the file.
    """
    on.print(table)
    for name, value, target, met in figures:
        mark = "" if met is None else "[green]met[/]" if met else "[red]missed[/]"
        on.print(f"{name:>24} {value:>12} {target:>8} {mark}")
    text = json.dumps(result, indent=2)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
        file.with_suffix(".md").write_text(page(file.name))
        on.print(f"written: {file} and {file.with_suffix('.md')}")
    elif as_text:
        typer.echo(text)
