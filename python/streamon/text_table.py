"""Tables as text, for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[list[str]]:
    """The cells of each row, each as wide as its column.

    Args:
        rows: the cells of each row, the heading among them.
        left: the columns aligned to the left, from 0 on; the others are aligned to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


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
    heading, *body = aligned([names, *rows], [at for at, name in enumerate(names) if name in left])

    def line(cells: Sequence[str]) -> str:
        return f"│ {' │ '.join(cells)} │"

    def rule(begin: str, between: str, end: str) -> str:
        return begin + between.join("─" * (len(cell) + 2) for cell in heading) + end

    return [
        title,
        rule("┌", "┬", "┐"),
        line(heading),
        rule("├", "┼", "┤"),
        *map(line, body),
        rule("└", "┴", "┘"),
    ]
