"""A snapshot as a heading and tables of text, which every screen shows in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamon.live_view.snapshot import Order, Snapshot, State

LONGEST = 60
"""Characters of a text in a table; longer ones are cut."""
THEN = " > "
"""Stands between the steps of an order."""


@dataclass(frozen=True)
class Section:
    """A table.

    Attributes:
        title: what it is about.
        columns: the names of its columns, texts first.
        texts: how many columns have texts; the others have numbers, which are aligned on the right.
        rows: a text for each column.
    """

    title: str
    columns: tuple[str, ...]
    texts: int
    rows: tuple[tuple[str, ...], ...]


def heading(snapshot: Snapshot) -> str:
    """The query, whether it runs, and its latest micro-batch, in one line."""
    query = f"Query {snapshot.name} ({snapshot.query})" if snapshot.name else f"Query {snapshot.query}"
    if snapshot.failure is not None:
        return f"{query} failed: {snapshot.failure}"
    runs = f"{query} {'runs' if snapshot.active else 'has ended'}"
    if snapshot.batch is None:
        return f"{runs}, no micro-batch has ended yet"
    began = snapshot.batch.timestamp.split(".")[0].rstrip("Z").replace("T", " ")
    return f"{runs}, micro-batch {snapshot.batch.number} of {began} UTC"


def sections(snapshot: Snapshot) -> list[Section]:
    """The tables that have rows, in the order in which they are shown."""
    found = [
        Section("Rates", ("rows", "arriving rows/s", "processed rows/s", "seconds"), 0, _rates(snapshot)),
        Section(
            "State",
            ("operator", "rows", "MB", "late rows"),
            1,
            tuple((s.operator, *_state(s)) for s in snapshot.states),
        ),
        Section(
            "Orders",
            ("operator", "in this order", "evaluations", "dropped", "reorders"),
            2,
            tuple(row for order in snapshot.orders for row in _order(order)),
        ),
        Section(
            "Latest decisions",
            ("time", "operator", "from", "to"),
            4,
            tuple(
                (f"{c.time:%H:%M:%S}", _cut(c.operator), _steps(c.old), _steps(c.new))
                for c in snapshot.changes
            ),
        ),
        Section(
            "Caches",
            ("operator", "cache", "hits", "misses", "hit share", "entries", "KB"),
            2,
            tuple(
                (
                    _cut(c.operator),
                    _cut(c.cache),
                    *(f"{c.hits:,}", f"{c.misses:,}", _share(c.hits, c.hits + c.misses)),
                    *(f"{c.entries:,}", f"{c.bytes / 1024:,.0f}"),
                )
                for c in snapshot.caches
            ),
        ),
        Section(
            "Evictions",
            ("operator", "input", "rows", "dead", "evicted", "cold"),
            2,
            tuple(
                (
                    _cut(i.operator),
                    _cut(i.name),
                    f"{i.rows:,}",
                    f"{i.dead:,}",
                    f"{i.evicted:,}",
                    f"{i.cold:,}",
                )
                for i in snapshot.inputs
            ),
        ),
    ]
    return [section for section in found if section.rows]


def note(snapshot: Snapshot) -> str | None:
    """What there is to say where a query has run and no operator of StreaMon has told of itself."""
    if snapshot.batch is None or snapshot.orders:
        return None
    return "No adaptive filter and no MJoin of this query has seen rows yet."


def _rates(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    batch = snapshot.batch
    if batch is None:
        return ()
    seconds = "" if batch.millis is None else f"{batch.millis / 1000:,.1f}"
    return ((f"{batch.rows:,}", _rate(batch.arriving), _rate(batch.processed), seconds),)


def _state(state: State) -> tuple[str, str, str]:
    return (f"{state.rows:,}", f"{state.bytes / 1024**2:,.1f}", f"{state.late:,}")


def _order(order: Order) -> list[tuple[str, ...]]:
    """A row for each step; the first has what is of the whole order."""
    return [
        (
            _cut(order.operator) if at == 0 else "",
            _cut(step.text),
            f"{step.evaluations:,}",
            _share(step.drops, step.evaluations),
            f"{order.reorders:,}" if at == 0 else "",
        )
        for at, step in enumerate(order.steps)
    ]


def _rate(rate: float | None) -> str:
    return "" if rate is None else f"{rate:,.0f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def _steps(steps: Sequence[str]) -> str:
    """Steps in one text, each cut so that all have room."""
    room = max(8, LONGEST // max(1, len(steps)) - len(THEN))
    return THEN.join(_cut(step, room) for step in steps)


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
