"""Tables as HTML, for a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def html_table(
    names: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    caption: str | None = None,
    left: int | None = None,
) -> str:
    """A table in HTML.

    Args:
        names: the heading of each column.
        rows: the cells of each row; None is an empty cell.
        caption: the line above the table.
        left: how many columns are aligned to the left, the first ones; the others are aligned to the right.
            None leaves it to the page.
    """

    def cell(tag: str, at: int, value: object) -> str:
        side = "" if left is None else f' style="text-align: {"left" if at < left else "right"}"'
        return f"<{tag}{side}>{'' if value is None else escape(str(value))}</{tag}>"

    def row(tag: str, cells: Iterable[object]) -> str:
        return f"<tr>{''.join(cell(tag, at, value) for at, value in enumerate(cells))}</tr>"

    title = "" if caption is None else f"<caption>{escape(caption)}</caption>"
    body = "".join(row("td", cells) for cells in rows)
    return f"<table>{title}<thead>{row('th', names)}</thead><tbody>{body}</tbody></table>"
