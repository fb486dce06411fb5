"""What a workload of the filter bench is: a conjunction of predicates over parquet files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from streamon_lab.bench.families import Family

Order = tuple[int, ...]
"""An order of predicates, by their index in `Workload.predicates`."""


@dataclass(frozen=True)
class Predicate:
    """One conjunct: a short name for tables, and its text in Spark SQL.

    `without` is a condition that costs what the conjunct does besides its own work, such as the way of its
    columns to where it is evaluated. By default that is to read them.
    """

    name: str
    sql: str
    without: str = ""


@dataclass(frozen=True)
class Workload:
    """A conjunction over a table.

    `segments` are files that together hold the rows of `table`, each homogeneous enough to have one
    best order. A workload without drift has one segment, the table itself. `selected` are columns that a
    query reads besides those of its predicates.
    """

    name: str
    title: str
    predicates: tuple[Predicate, ...]
    table: Path
    segments: tuple[Path, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    all_cheap: bool = False
    selected: tuple[str, ...] = ()

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
        return self.answer(self.passing(relation(self.table), [self.condition(order)], hint))

    def segmented_query(self, orders: Sequence[Order]) -> str:
        """The same answer from the segments, each with its own order: what an oracle would run."""
        return self.from_segments([self.condition(order) for order in orders])

    def from_segments(self, conditions: Sequence[str]) -> str:
        """The answer of the rows of each segment that pass a condition of its own."""
        parts = zip(self.segments, conditions, strict=True)
        return self.answer(" UNION ALL ".join(self.passing(relation(s), [c]) for s, c in parts))

    def answer(self, rows: str) -> str:
        """The query that counts the rows of another, and draws their checksum."""
        return f"SELECT count(*) AS passing, bit_xor(xxhash64(*)) AS checksum FROM ({rows})"

    def condition(self, order: Order) -> str:
        """The conjuncts in an order."""
        return " AND ".join(f"({self.predicates[i].sql})" for i in order)

    def passing(self, source: str, conditions: Sequence[str], hint: str = "") -> str:
        """The rows of a relation that pass conditions, each of a query around that of the one before."""
        read = ", ".join([*self.columns_of(self.predicates), *self.selected])
        first, *others = conditions
        rows = f"SELECT {hint} {read} FROM {source} WHERE {first}"
        for condition in others:
            rows = f"SELECT {read} FROM ({rows}) WHERE {condition}"
        return rows


W = TypeVar("W", bound=Workload)


@dataclass(frozen=True)
class Sampled(Generic[W]):
    """A workload, and a smaller table of the same kind on which the costs of its predicates are measured."""

    workload: W
    sample: Path

    @property
    def name(self) -> str:
        """That of the workload."""
        return self.workload.name


def sampled(wholes: Iterable[W], samples: Iterable[W]) -> list[Sampled[W]]:
    """Workloads, each with the table of its twin, which has less data."""
    return [Sampled(workload, few.table) for workload, few in zip(wholes, samples, strict=True)]


def sampled_families(wholes: Sequence[Family[W]], samples: Sequence[Family[W]]) -> list[Family[Sampled[W]]]:
    """The same by families, whose workloads are made when they are asked for."""

    def both(whole: Family[W], few: Family[W]) -> Family[Sampled[W]]:
        return Family(whole.names, lambda: sampled(whole.make(), few.make()))

    return [both(whole, few) for whole, few in zip(wholes, samples, strict=True)]


def relation(source: Path) -> str:
    """Parquet files as Spark SQL names them."""
    return f"parquet.`{source}`"
