"""What constraints found, as text for a terminal, and what to do about it, in sentences."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from streamon.constraints_rows import Constraint, Eviction

WORTH = 1.25
"""How many times smaller memory must become for a suggestion."""

WIDTH = 120
OBSERVE = "observe"


def suggestions(table: Sequence[Constraint], evictions: Sequence[Eviction]) -> list[str]:
    """What would save memory or results, one sentence each; none where nothing would be saved."""
    found: list[str] = []
    several = len({e.operator for e in evictions} | {c.operator for c in table}) > 1
    for operator in dict.fromkeys(e.operator for e in evictions):
        own = [e for e in evictions if e.operator == operator]
        said = _of_operator([c for c in table if c.operator == operator], own)
        found += [f"{operator}: {sentence}" if several else sentence for sentence in said]
    return found


def _of_operator(table: Sequence[Constraint], evictions: Sequence[Eviction]) -> list[str]:
    found: list[str] = []
    if saves(evictions):
        found += [f"declare {c.hint}" for c in table if _is_to_declare(c)]
        if evictions[0].mode == OBSERVE:
            found.append(f"exact would shrink memory {_times(shrinks(evictions))}")
    missed = sum(e.missed or 0.0 for e in evictions)
    if missed >= 1:
        most = sum(e.missed_at_most or 0.0 for e in evictions)
        found.append(
            f"exact would miss no results: approximate has missed about {missed:,.0f}, at most {most:,.0f}"
        )
    broken = [c for c in table if c.declared and c.violations > 0]
    return found + [f"take back {c.hint or c.constraint}: {c.violations:,} rows break it" for c in broken]


def _is_to_declare(c: Constraint) -> bool:
    """Whether nobody has declared what the rows so far keep."""
    known = c.kind == "UNIQUE" or c.k is not None
    return not c.declared and c.hint is not None and known and c.violations == 0


def saves(evictions: Sequence[Eviction]) -> bool:
    """Whether constraints save memory worth speaking of, or would."""
    if evictions[0].mode == OBSERVE:
        return shrinks(evictions) >= WORTH
    return sum(e.evicted_rows for e in evictions) > (WORTH - 1) * sum(e.rows for e in evictions)


def shrinks(evictions: Sequence[Eviction]) -> float:
    """How many times smaller the memory of the rows would be without the dead ones, monitors included."""
    there = sum(e.bytes for e in evictions)
    left = there - sum(e.dead_bytes for e in evictions)
    return there / max(left + monitors(evictions), 1)


def monitors(evictions: Sequence[Eviction]) -> int:
    """Bytes; each input of an operator has those of all."""
    return max(e.constraint_bytes for e in evictions)


def _times(times: float) -> str:
    return f"{times:,.0f}x" if times >= 10 else f"{times:.1f}x"


def text(table: Sequence[Constraint], evictions: Sequence[Eviction], suggested: Sequence[str]) -> str:
    """Two tables and the suggestions."""
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, color_system=None)
    constraints = _table("Constraints", "constraint", "k", "declared", "used", "violations", "to declare it")
    for c in table:
        k = "" if c.k is None else f"{c.k:,}"
        constraints.add_row(
            c.constraint, k, _yes(c.declared), _yes(c.used), f"{c.violations:,}", c.hint or ""
        )
    console.print(constraints)
    inputs = _table(
        f"Rows, in mode {', '.join(dict.fromkeys(e.mode for e in evictions))}",
        *("input", "rows", "KB", "dead rows", "dead KB", "evicted", "cold", "monitors KB", "missed"),
    )
    for e in evictions:
        missed = "" if e.missed is None else f"{e.missed:,.0f}"
        if e.missed_at_most is not None:
            missed += f" (at most {e.missed_at_most:,.0f})"
        counts = (e.dead_rows, e.dead_bytes / 1024, e.evicted_rows, e.cold_rows, e.constraint_bytes / 1024)
        cells = (e.rows, e.bytes / 1024, *counts)
        inputs.add_row(e.name or f"input {e.input}", *(f"{cell:,.0f}" for cell in cells), missed)
    console.print(inputs)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join([*lines, *(f"- {sentence}" for sentence in suggested)])


def _table(title: str, *names: str) -> Table:
    shown = Table(title=title, title_justify="left")
    for name in names:
        texts = ("constraint", "declared", "used", "to declare it", "input")
        shown.add_column(name, justify="left" if name in texts else "right")
    return shown


def _yes(true: bool) -> str:
    return "yes" if true else ""
