"""The lines that `streamon doctor` prints: coloured if rich is installed, plain otherwise."""

from __future__ import annotations

import io
import sys


def show(good: bool, name: str, text: str) -> None:
    """Print one line: a mark, the name of what was checked, and what was found.

    Args:
        good: whether the check succeeded; it chooses the mark and its colour.
        name: what was checked.
        text: what was found, or the error.
    """
    mark, colour = ("✓", "green") if good else ("✗", "red")
    try:
        from rich.console import Console
    except ModuleNotFoundError:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without these marks
        print(f"{mark} {name}: {text}")
        return
    console = Console()
    console.print(f"[{colour}]{mark}[/] {name}: ", end="")
    console.print(text, markup=False, highlight=False, soft_wrap=True)
