"""The options that all commands of the bench have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result to this file, and a Markdown page beside it. With -, print the JSON.",
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Smoke test: little data, few rounds.")]
Data = Annotated[Path, typer.Option(help="The folder for the data. The data is generated once.")]
Rounds = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Measured rounds: 7 for filters and routes, 5 for python, 3 for selections, else 2; with "
        "--quick 3 for filters and routes, else 1. Slow variants (Spark's chain, Flink, stock Spark with "
        "1,000 rules) run in every other one.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        help="Run only the workload of this name, or those whose names start with it. May be repeated."
    ),
]
Cores = Annotated[int, typer.Option(min=1, help="Threads for Spark's tasks.")]


@dataclass(frozen=True)
class Asked:
    """The values of these options."""

    json_file: Path | None
    quick: bool
    data: Path
    rounds: int | None
    only: list[str] | None
    cores: int
