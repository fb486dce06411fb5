"""The workloads of the bench of rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from streamon_lab.bench.selections.rules import Rule, rules

OFTEN, RARE = 0.003, 0.00001
"""The share of the rows for which a rule holds. When they hold rarely, most rows have no rule."""

COUNTS = (10, 100, 1_000, 10_000)


@dataclass(frozen=True)
class RuleWorkload:
    """So many rules over cached rows.

    Attributes:
        count: rules.
        share: of the rows for which each holds.
        rows: how many there are.
    """

    count: int
    share: float
    rows: int

    @property
    def name(self) -> str:
        """Such as `rules-1000` or `rare-1000`."""
        return name_of(self.count, self.share)

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules."""
        return rules(self.count, self.share)


def name_of(count: int, share: float) -> str:
    """The name of a workload."""
    return f"{'rules' if share == OFTEN else 'rare'}-{count}"


NAMES = tuple(name_of(count, share) for share in (OFTEN, RARE) for count in COUNTS)


def workloads(rows: int) -> list[RuleWorkload]:
    """All of them."""
    return [RuleWorkload(count, share, rows) for share in (OFTEN, RARE) for count in COUNTS]
