"""A snapshot as lines of text, as a renderable of rich, and as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from streamon.live_view.sections import Section, heading, note, sections
from streamon.live_view.snapshot import Snapshot

if TYPE_CHECKING:
    from rich.console import Group


def lines(snapshot: Snapshot) -> list[str]:
    """A snapshot as lines of text."""
    said = note(snapshot)
    text = [heading(snapshot), *([said] if said else [])]
    for section in sections(snapshot):
        cells = [section.columns, *section.rows]
        widths = [max(len(row[at]) for row in cells) for at in range(len(section.columns))]
        text += ["", section.title]
        text += [
            "  "
            + "  ".join(
                cell.ljust(width) if at < section.texts else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
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
            shown.add_column(name, justify=_side(section, at))
        for row in section.rows:
            shown.add_row(*map(Text, row))
        return shown

    said = note(snapshot)
    notes = [Text(said)] if said else []
    return Group(Text(heading(snapshot), style="reverse"), *notes, *map(table, sections(snapshot)))


def html(snapshot: Snapshot) -> str:
    """A snapshot for a notebook."""

    def table(section: Section) -> str:
        def row(tag: str, cells: tuple[str, ...]) -> str:
            aligned = (
                f'<{tag} style="text-align: {_side(section, at)}">{escape(cell)}</{tag}>'
                for at, cell in enumerate(cells)
            )
            return f"<tr>{''.join(aligned)}</tr>"

        body = "".join(row("td", cells) for cells in section.rows)
        head = f"<thead>{row('th', section.columns)}</thead>"
        return f"<table><caption>{escape(section.title)}</caption>{head}<tbody>{body}</tbody></table>"

    said = note(snapshot)
    notes = f"<p>{escape(said)}</p>" if said else ""
    return f"<p><b>{escape(heading(snapshot))}</b></p>{notes}{''.join(map(table, sections(snapshot)))}"


def _side(section: Section, column: int) -> Literal["left", "right"]:
    return "left" if column < section.texts else "right"
