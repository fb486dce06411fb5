"""The workloads of the bench of rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from streamon_lab.bench.selections.rows import Data
from streamon_lab.bench.selections.rules import Rule, rules, skewed_rules

OFTEN, RARE = 0.003, 0.00001
"""The share of the rows for which a rule holds. When they hold rarely, most rows have no rule."""

COUNTS = (1, 10, 100, 1_000, 10_000, 100_000)
MOST_RULES = COUNTS[-1]
SKEWED_COUNT = 100
STREAM_COUNTS = (100, 1_000)
BATCHES = 10
"""Micro-batches of a stream."""


@dataclass(frozen=True)
class RuleWorkload:
    """So many rules over rows.

    Attributes:
        name: such as `rules-1000` or `rare-1000`.
        count: rules.
        rows: how many there are.
        share: of the rows for which each rule holds; None where the rules are those of skewed rows.
        data: how the values of the rows are drawn.
        streamed: whether the rows come from files, in micro-batches; else they are cached.
    """

    name: str
    count: int
    rows: int
    share: float | None = OFTEN
    data: Data = Data.EVEN
    streamed: bool = False

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules."""
        return skewed_rules(self.count) if self.share is None else rules(self.count, self.share)


def name_of(count: int, share: float) -> str:
    """The name of a workload of equally distributed rows in memory."""
    return f"{'rules' if share == OFTEN else 'rare'}-{count}"


def stream_of(count: int) -> str:
    """The name of a workload of a stream."""
    return f"stream-{count}"


DRIFTING = {data.value: data for data in Data if data is not Data.EVEN}
"""Workloads in which the order of look-ups matters, by their names."""


def workloads(rows: int) -> list[RuleWorkload]:
    """All of them.

    Args:
        rows: in memory. The most rules get a tenth of them, a stream half of them; where the order of
            look-ups matters there are four times as many.
    """
    even = [
        RuleWorkload(name_of(count, share), count, rows // 10 if count == MOST_RULES else rows, share)
        for share in (OFTEN, RARE)
        for count in COUNTS
    ]
    drifting = [RuleWorkload(name, SKEWED_COUNT, 4 * rows, None, data) for name, data in DRIFTING.items()]
    streams = [RuleWorkload(stream_of(n), n, rows // 2, streamed=True) for n in STREAM_COUNTS]
    return [*even, *drifting, *streams]


NAMES = tuple(workload.name for workload in workloads(0))
