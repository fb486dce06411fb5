"""Where a live view is shown: a terminal with rich, a notebook, or plain text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from streamon.live_view.formats import html, lines, renderable
from streamon.live_view.snapshot import Snapshot

if TYPE_CHECKING:
    from rich.console import Console

Show = Callable[[Snapshot], None]
"""Shows a snapshot in place of the one before."""


def screen() -> AbstractContextManager[Show]:
    """The screen of this process: its notebook, its terminal if rich is installed, or plain text."""
    if _in_notebook():
        return in_notebook()
    try:
        from rich.console import Console
    except ImportError:
        return as_text(sys.stdout)
    console = Console()
    return in_terminal(console) if console.is_terminal else as_text(sys.stdout)


@contextmanager
def as_text(out: TextIO) -> Iterator[Show]:
    """Print each snapshot that differs from the one before."""
    shown: list[str] = []

    def show(snapshot: Snapshot) -> None:
        text = lines(snapshot)
        if text != shown:
            print(*text, "", sep="\n", file=out, flush=True)
            shown[:] = text

    yield show


@contextmanager
def in_terminal(console: Console) -> Iterator[Show]:
    """Redraw one place of a terminal. Needs rich."""
    from rich.live import Live

    with Live(console=console, auto_refresh=False) as place:
        yield lambda snapshot: place.update(renderable(snapshot), refresh=True)


@contextmanager
def in_notebook() -> Iterator[Show]:
    """Redraw one output of a notebook's cell. Needs IPython."""
    shown: Any = import_module("IPython.display")
    place: list[Any] = []

    def show(snapshot: Snapshot) -> None:
        formats = {"text/html": html(snapshot), "text/plain": "\n".join(lines(snapshot))}
        if place:
            place[0].update(formats, raw=True)
        else:
            place.append(shown.display(formats, raw=True, display_id=True))

    yield show


def _in_notebook() -> bool:
    """Whether this is the kernel of a notebook, which shows HTML; IPython in a terminal does not."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")
