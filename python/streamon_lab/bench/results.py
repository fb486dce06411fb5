"""What the results of all benches have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.options import Asked
from streamon_lab.bench.targets import Target, judged, values

Json = dict[str, Any]


def head(bench: str, environment: Json, method: Json, summary: Json, targets: Mapping[str, Target]) -> Json:
    """What a result begins with: where and how it was measured, and the figures to judge by."""
    return {
        "bench": bench,
        "environment": environment,
        "method": method,
        "summary": summary,
        "targets": values(targets),
    }


def conclude(
    result: Json,
    table: Table,
    targets: Mapping[str, Target],
    page: Callable[[Json, str], str],
    *,
    asked: Asked,
    on: Console,
) -> None:
    """Show a result, and write it where that is asked for.

    Args:
        result: what was measured.
        table: the same for the terminal.
        targets: what is asked of the figures of its summary.
        page: makes the page of a result and the name of its JSON file.
        asked: the options of the command.
        on: the console.
    """
    terminal.conclude(
        result,
        table,
        judged(result["summary"], targets),
        lambda name: page(result, name),
        json_file=asked.json_file,
        on=on,
    )
