"""A snapshot as lines of text, as a renderable of rich, and as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from streamon.html_table import html_table
from streamon.live_view.sections import Section, heading, note, sections
from streamon.live_view.snapshot import Snapshot
from streamon.text_table import aligned

if TYPE_CHECKING:
    from rich.console import Group


def lines(snapshot: Snapshot) -> list[str]:
    """A snapshot as lines of text."""
    said = note(snapshot)
    text = [heading(snapshot), *([said] if said else [])]
    for section in sections(snapshot):
        rows = aligned([section.columns, *section.rows], range(section.texts))
        text += ["", section.title, *(f"  {'  '.join(row).rstrip()}" for row in rows)]
    return text


def renderable(snapshot: Snapshot) -> Group:
    """A snapshot for rich."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    def table(section: Section) -> Table:
        shown = Table(
            title=f"\n{section.title}", title_justify="left", title_style="bold", header_style="dim", box=None
        )
        for at, name in enumerate(section.columns):
            shown.add_column(name, justify="left" if at < section.texts else "right")
        for row in section.rows:
            shown.add_row(*map(Text, row))
        return shown

    said = note(snapshot)
    notes = [Text(said)] if said else []
    return Group(Text(heading(snapshot), style="reverse"), *notes, *map(table, sections(snapshot)))


def html(snapshot: Snapshot) -> str:
    """A snapshot for a notebook."""

    def table(section: Section) -> str:
        return html_table(section.columns, section.rows, caption=section.title, left=section.texts)

    said = note(snapshot)
    notes = f"<p>{escape(said)}</p>" if said else ""
    return f"<p><b>{escape(heading(snapshot))}</b></p>{notes}{''.join(map(table, sections(snapshot)))}"
