"""The text of `Constraints` for terminals and notebooks: two tables and suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from streamon.constraint_report.rows import ConstrainedInput, Constraint
from streamon.html_table import html_table
from streamon.text_table import text_table

WORTH = 1.25
"""The least factor by which memory must shrink for a suggestion."""

OBSERVE = "observe"


def suggestions(table: Sequence[Constraint], evictions: Sequence[ConstrainedInput]) -> list[str]:
    """Changes that would save memory or results, one sentence each. Empty when nothing would be saved."""
    found: list[str] = []
    operators = dict.fromkeys((e.query, e.operator) for e in evictions)
    several = len(operators | dict.fromkeys((c.query, c.operator) for c in table)) > 1
    one_query = len({query for query, _ in operators}) == 1
    for query, operator in operators:
        own = [e for e in evictions if (e.query, e.operator) == (query, operator)]
        said = _of_operator([c for c in table if (c.query, c.operator) == (query, operator)], own)
        name = operator if one_query else f"{query} {operator}"
        found += [f"{name}: {sentence}" if several else sentence for sentence in said]
    return found


def _of_operator(table: Sequence[Constraint], evictions: Sequence[ConstrainedInput]) -> list[str]:
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
    return found + [f"remove {c.hint or c.constraint}: {c.violations:,} rows break it" for c in broken]


def _is_to_declare(c: Constraint) -> bool:
    """Whether the constraint is not declared, although all rows so far keep it."""
    known = c.kind == "UNIQUE" or c.k is not None
    return not c.declared and c.hint is not None and known and c.violations == 0


def saves(evictions: Sequence[ConstrainedInput]) -> bool:
    """Whether constraints save a relevant share of the memory, or would save it."""
    if evictions[0].mode == OBSERVE:
        return shrinks(evictions) >= WORTH
    return sum(e.evicted_rows for e in evictions) > (WORTH - 1) * sum(e.rows for e in evictions)


def shrinks(evictions: Sequence[ConstrainedInput]) -> float:
    """The factor by which memory would shrink without dead rows. Monitors count as memory."""
    there = sum(e.bytes for e in evictions)
    left = there - sum(e.dead_bytes for e in evictions)
    return there / max(left + monitors(evictions), 1)


def monitors(evictions: Sequence[ConstrainedInput]) -> int:
    """Bytes of the monitors. Each input of an operator reports the bytes of the whole operator."""
    return max(e.constraint_bytes for e in evictions)


def _times(times: float) -> str:
    return f"{times:,.0f}x" if times >= 10 else f"{times:.1f}x"


CONSTRAINTS = ("constraint", "k", "declared", "used", "violations", "to declare it")
INPUTS = (
    *("input", "rows", "KB", "dead rows", "dead KB", "evicted", "cold", "monitors KB"),
    *("missed", "missed at most"),
)
TEXTS = ("constraint", "declared", "used", "to declare it", "input")
"""Columns that are aligned on the left."""


def text(table: Sequence[Constraint], evictions: Sequence[ConstrainedInput], suggested: Sequence[str]) -> str:
    """Two tables and the suggestions, for a terminal."""
    constraints = text_table("Constraints", CONSTRAINTS, list(map(_constraint, table)), TEXTS)
    inputs = text_table(_inputs_title(evictions), INPUTS, list(map(_input, evictions)), TEXTS)
    return "\n".join([*constraints, *inputs, *(f"- {sentence}" for sentence in suggested)])


def html(table: Sequence[Constraint], evictions: Sequence[ConstrainedInput], suggested: Sequence[str]) -> str:
    """The same for a notebook."""
    listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in suggested)
    return (
        f"<p>Constraints</p>{html_table(CONSTRAINTS, map(_constraint, table))}"
        f"<p>{_inputs_title(evictions)}</p>{html_table(INPUTS, map(_input, evictions))}<ul>{listed}</ul>"
    )


def _inputs_title(evictions: Sequence[ConstrainedInput]) -> str:
    return f"Rows, in mode {', '.join(dict.fromkeys(e.mode for e in evictions))}"


def _constraint(c: Constraint) -> tuple[str, ...]:
    k = "" if c.k is None else f"{c.k:,}"
    return c.constraint, k, _yes(c.declared), _yes(c.used), f"{c.violations:,}", c.hint or ""


def _input(e: ConstrainedInput) -> tuple[str, ...]:
    counts = (e.rows, e.bytes / 1024, e.dead_rows, e.dead_bytes / 1024, e.evicted_rows, e.cold_rows)
    missed = ("" if m is None else f"{m:,.0f}" for m in (e.missed, e.missed_at_most))
    cells = (f"{cell:,.0f}" for cell in (*counts, e.constraint_bytes / 1024))
    return e.name or f"input {e.input}", *cells, *missed


def _yes(true: bool) -> str:
    return "yes" if true else ""
