"""Tables as text, for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def text_table(
    title: str, names: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[str] = ()
) -> list[str]:
    """The lines of a table with a title and a frame.

    Args:
        title: the line above the table.
        names: the heading of each column.
        rows: the cells of each row, one for each column.
        left: the names of the columns aligned to the left; the others are aligned to the right.
    """
    widths = [max(len(row[i]) for row in (names, *rows)) for i in range(len(names))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if name in left else cell.rjust(width)
            for name, cell, width in zip(names, cells, widths, strict=True)
        )
        return f"│ {' │ '.join(padded)} │"

    def rule(begin: str, between: str, end: str) -> str:
        return begin + between.join("─" * (width + 2) for width in widths) + end

    return [
        title,
        rule("┌", "┬", "┐"),
        line(names),
        rule("├", "┼", "┤"),
        *map(line, rows),
        rule("└", "┴", "┘"),
    ]
