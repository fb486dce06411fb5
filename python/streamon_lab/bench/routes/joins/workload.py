"""What a join of the bench of routes is: a query over streams, one of which brings rows of several kinds."""

from __future__ import annotations

from dataclasses import dataclass

from streamon_lab.bench.filters.workload import Order
from streamon_lab.bench.routes.joins.kinds import Kind
from streamon_lab.bench.streaming.workload import JoinWorkload


@dataclass(frozen=True)
class KindsJoin:
    """A join with the kinds of the rows that nearly all of its time is for.

    Attributes:
        join: the query, its streams and its variants.
        kinds: those of the rows of its first stream.
        conditions: by each other stream, what joins the first one with it, beside the key.
    """

    join: JoinWorkload
    kinds: tuple[Kind, ...]
    conditions: tuple[str, ...]

    @property
    def name(self) -> str:
        """That of the join."""
        return self.join.name

    def names(self, order: Order) -> list[str]:
        """The streams that rows of the first one are looked up in, in an order."""
        others = self.join.streams[1:]
        return [others[i].name for i in order]
