"""The options that all commands of the bench have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="Write the result there as JSON, and a page beside it."),
]
AsText = Annotated[bool, typer.Option("--json", help="Without FILE: print it as JSON.")]
Quick = Annotated[bool, typer.Option(help="Little data, few rounds: does it work?")]
Data = Annotated[Path, typer.Option(help="Where the data is kept once made.")]
Rounds = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Measured rounds: 7 for filters, 5 for python, else 2; with --quick 3 for filters, else 1. "
        "Slow variants (Spark's chain, Flink) run in every other one.",
    ),
]
Only = Annotated[list[str] | None, typer.Option(help="Only workloads whose name starts so.")]
Cores = Annotated[int, typer.Option(min=1, help="Threads for Spark's tasks.")]
