"""The ways to run a workload of Python functions, and what each must have in its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, permutations

from pyspark.sql import SparkSession

from streamon_lab.bench.filters import adaptive, model
from streamon_lab.bench.filters.adaptive import PYTHON_OPERATOR, UnexpectedPlanError
from streamon_lab.bench.filters.orders import Orders
from streamon_lab.bench.filters.profile import Profile
from streamon_lab.bench.filters.workload import Order, relation
from streamon_lab.bench.python import by_hand
from streamon_lab.bench.python.functions import Function
from streamon_lab.bench.python.workload import PythonWorkload
from streamon_lab.bench.session import settings

STOCK = "stock"
STOCK_AGAIN = "stock again"
CHAIN = "chain of nodes"
BY_HAND = "by hand"
BY_HAND_FRONT = "by hand, JVM in front"
STATIC = "static, written best"
ADAPTIVE_WORST = "adaptive, written worst"
ADAPTIVE_BEST = "adaptive, written best"
HINTED = "with the hint"

NODE = "EvalPython ["
APART = {
    **adaptive.OFF,
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.PushDownPredicates",
}
"""With these Spark does not merge the filters of nested queries."""


@dataclass(frozen=True)
class Variant:
    """A way to run a workload: its text and settings, and how many of Spark's nodes for Python it has.

    An adaptive one has none of them, and StreaMon's operator.
    """

    name: str
    query: str
    nodes: int
    conf: Mapping[str, str] = field(default_factory=dict)
    sparse: bool = False

    @property
    def adaptive(self) -> bool:
        """Whether StreaMon's operator runs it."""
        return self.nodes == 0

    def check(self, spark: SparkSession) -> None:
        """Raises `UnexpectedPlanError` unless the plan has the nodes that it should."""
        with settings(spark, self.conf):
            plan = adaptive.plan_of(spark, self.query)
        found = plan.count(NODE), plan.count(PYTHON_OPERATOR)
        if found != (self.nodes, int(self.adaptive)):
            raise UnexpectedPlanError(
                f"{self.name} should have {self.nodes} of Spark's nodes for Python:\n{plan}"
            )


def variants(
    spark: SparkSession, workload: PythonWorkload, profile: Profile, orders: Orders
) -> list[Variant]:
    """All that a workload is to be run as. The functions that are made by hand are registered for it."""
    off = {**workload.conf, **adaptive.OFF}
    best = orders.best
    stock = [Variant(name, workload.query(best), 1, off) for name in (STOCK, STOCK_AGAIN)]
    if len(workload.python) == 1:
        return [*stock, Variant(HINTED, workload.query(best, adaptive.HINT), 1, workload.conf)]
    own = [
        Variant(name, workload.query(order, hint), 0, workload.conf)
        for name, order, hint in (
            (STATIC, best, adaptive.STATIC_HINT),
            (ADAPTIVE_WORST, orders.worst, adaptive.HINT),
            (ADAPTIVE_BEST, best, adaptive.HINT),
        )
    ]
    return [*stock, _chain(workload, best), *_by_hand(spark, workload, profile, orders), *own]


def _chain(workload: PythonWorkload, order: Order) -> Variant:
    """A node for each function, and the conditions of the JVM where the order has them."""
    conditions = []
    for python, of in _runs(workload, order):
        conditions += [workload.condition((i,)) for i in of] if python else [workload.condition(of)]
    return Variant(CHAIN, _nested(workload, conditions), len(workload.python), {**workload.conf, **APART})


def _by_hand(
    spark: SparkSession, workload: PythonWorkload, profile: Profile, orders: Orders
) -> list[Variant]:
    """One function instead of several. With drift there is one for each segment."""
    if len(workload.segments) > 1:
        calls = [_registered(spark, workload, order) for order in orders.oracle]
        query = workload.from_segments(calls)
        return [Variant(BY_HAND, query, len(calls), {**workload.conf, **adaptive.OFF})]
    whole = together(workload, profile)
    front = (*workload.jvm_of(whole), *workload.python_of(whole))
    orders_by_name = {BY_HAND: whole, **({BY_HAND_FRONT: front} if front != whole else {})}
    found = []
    for name, order in orders_by_name.items():
        conditions = [
            _registered(spark, workload, of) if python else workload.condition(of)
            for python, of in _runs(workload, order)
        ]
        found.append(Variant(name, _nested(workload, conditions), 1, {**workload.conf, **APART}))
    return found


def _runs(workload: PythonWorkload, order: Order) -> list[tuple[bool, Order]]:
    """An order, cut where it changes between conjuncts on functions and others; whether they are on these."""
    return [(p, tuple(group)) for p, group in groupby(order, key=lambda i: i in workload.python)]


def together(workload: PythonWorkload, profile: Profile) -> Order:
    """The best order by the model of those that have all functions next to each other."""

    def is_together(order: Order) -> bool:
        at = [order.index(i) for i in workload.python]
        return max(at) - min(at) == len(at) - 1

    orders = (o for o in permutations(range(len(workload.predicates))) if is_together(o))
    return min(orders, key=lambda order: model.cost(profile.counts, profile.costs, order))


def _nested(workload: PythonWorkload, conditions: Sequence[str]) -> str:
    return workload.answer(workload.passing(relation(workload.table), conditions))


def _registered(spark: SparkSession, workload: PythonWorkload, order: Order) -> str:
    """The call of a function that is all of an order's by hand."""
    predicates = [workload.python[i] for i in order]
    columns = list(dict.fromkeys(c for p in predicates for c in p.columns))
    functions = {f.name: f for f in workload.functions}
    vectorised = functions[predicates[0].function].vectorised
    if vectorised:
        steps = [(functions[p.function].call, tuple(columns.index(c) for c in p.columns)) for p in predicates]
        call = by_hand.narrowing(steps, workload.kind)
    else:
        calls = {name: f.call for name, f in functions.items()}
        call = by_hand.in_order([p.sql for p in predicates], columns, calls)
    name = "by_hand_" + "_".join(map(str, order))
    Function(name, call, vectorised=vectorised).register(spark, workload.kind)
    return f"{name}({', '.join(columns)})"
