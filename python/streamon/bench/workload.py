"""What a workload of the filter bench is: a conjunction of predicates over parquet files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Order = tuple[int, ...]
"""An order of predicates, by their index in `Workload.predicates`."""


@dataclass(frozen=True)
class Predicate:
    """One conjunct: a short name for tables, and its text in Spark SQL."""

    name: str
    sql: str


@dataclass(frozen=True)
class Workload:
    """A conjunction over a table.

    `segments` are files that together hold the rows of `table`, each homogeneous enough to have one
    best order. A workload without drift has one segment, the table itself.
    """

    name: str
    title: str
    predicates: tuple[Predicate, ...]
    table: Path
    segments: tuple[Path, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    all_cheap: bool = False

    def __post_init__(self) -> None:
        if not self.segments:
            object.__setattr__(self, "segments", (self.table,))

    def names(self, order: Order) -> list[str]:
        """The predicates' names in an order."""
        return [self.predicates[i].name for i in order]

    def columns_of(self, predicates: Sequence[Predicate]) -> list[str]:
        """The columns of the table that the predicates read."""
        text = " ".join(re.sub(r"'[^']*'", "''", p.sql) for p in predicates)
        return [c for c in self.columns if re.search(rf"\b{c}\b", text)]

    def query(self, order: Order, hint: str = "") -> str:
        """Count and checksum of the rows that pass, with the conjuncts written in `order`."""
        return self.answer(self.rows(self.table, order, hint))

    def segmented_query(self, orders: Sequence[Order]) -> str:
        """The same answer from the segments, each with its own order: what an oracle would run."""
        parts = zip(self.segments, orders, strict=True)
        return self.answer(" UNION ALL ".join(self.rows(segment, order) for segment, order in parts))

    def answer(self, rows: str) -> str:
        """The query that counts the rows of another, and draws their checksum."""
        return f"SELECT count(*) AS passing, bit_xor(xxhash64(*)) AS checksum FROM ({rows})"

    def rows(self, source: Path, order: Order, hint: str = "") -> str:
        """The rows of `source` that pass."""
        read = ", ".join(self.columns_of(self.predicates))
        condition = " AND ".join(f"({self.predicates[i].sql})" for i in order)
        return f"SELECT {hint} {read} FROM {relation(source)} WHERE {condition}"


def relation(source: Path) -> str:
    """Parquet files as Spark SQL names them."""
    return f"parquet.`{source}`"
