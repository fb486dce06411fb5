"""Generated rules: each selects a range of three or four columns, and holds for a given share of the rows."""

from __future__ import annotations

import random
from dataclasses import dataclass

SEED = 27
COLUMNS = tuple(f"a{i}" for i in range(12))
VALUES = 10_000
"""A column has the whole numbers below it, each as often as any other, independent of the other columns."""


@dataclass(frozen=True)
class Rule:
    """A conjunction of ranges: by column, the least value and the first that is too large."""

    name: str
    ranges: dict[str, tuple[int, int]]

    @property
    def condition(self) -> str:
        """As SQL."""
        return " AND ".join(f"{c} >= {low} AND {c} < {end}" for c, (low, end) in self.ranges.items())


def rules(count: int, share: float) -> list[Rule]:
    """Rules in ascending order of their names.

    Args:
        count: how many.
        share: of the rows for which each holds, about.
    """
    # The same for each number of rules, so that fewer are a part of more.
    rng = random.Random(f"{SEED} {share}")  # noqa: S311
    return [_rule(rng, number, share) for number in range(count)]


def _rule(rng: random.Random, number: int, share: float) -> Rule:
    columns = rng.sample(COLUMNS, rng.choice((3, 4)))
    width = max(1, round(VALUES * share ** (1 / len(columns))))
    ranges = {c: (low, low + width) for c in columns for low in [rng.randrange(VALUES - width + 1)]}
    return Rule(f"r{number:06d}", ranges)
