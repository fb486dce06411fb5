"""Workloads of Python functions: conjuncts on their results, among them some of the JVM's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from streamon_lab.bench.filters.workload import Order, Predicate, Workload
from streamon_lab.bench.python.functions import TRANSFER, Function, Kind


@dataclass(frozen=True)
class PythonPredicate(Predicate):
    """A conjunct on the result of a function, which is called with some columns."""

    function: str = ""
    columns: tuple[str, ...] = ()

    @property
    def call(self) -> str:
        """The call, in SQL and in Python."""
        return f"{self.function}({', '.join(self.columns)})"


def predicate(function: str, *columns: str, asked: str = "") -> PythonPredicate:
    """A conjunct on a function's result: this itself, or what is `asked` of it."""
    arguments = ", ".join(columns)
    sql = f"{function}({arguments}) {asked}".strip()
    return PythonPredicate(sql, sql, f"{TRANSFER}({arguments})", function, columns)


@dataclass(frozen=True)
class PythonWorkload(Workload):
    """A workload with functions of one kind."""

    kind: Kind = Kind.ROWS
    functions: tuple[Function, ...] = ()

    @cached_property
    def python(self) -> dict[int, PythonPredicate]:
        """The conjuncts on functions, by their index."""
        return {i: p for i, p in enumerate(self.predicates) if isinstance(p, PythonPredicate)}

    def python_of(self, order: Order) -> Order:
        """Those of an order that are on functions."""
        return tuple(i for i in order if i in self.python)

    def jvm_of(self, order: Order) -> Order:
        """Those of an order that are not."""
        return tuple(i for i in order if i not in self.python)
