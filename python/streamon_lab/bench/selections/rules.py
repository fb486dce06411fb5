"""Generated rules: each is a conjunction of ranges of columns."""

from __future__ import annotations

import random
from dataclasses import dataclass

SEED = 27
COLUMNS = tuple(f"a{i}" for i in range(12))
VALUES = 10_000
"""A column has whole numbers below it."""
HOT = 1_000
"""Values below it are those that the rules of skewed rows ask for."""
SKEWED_COLUMNS = 8
"""Columns that such a rule compares."""


@dataclass(frozen=True)
class Rule:
    """A conjunction of ranges: by column, the least value and the first that is too large."""

    name: str
    ranges: dict[str, tuple[int, int]]

    @property
    def condition(self) -> str:
        """As SQL."""
        return " AND ".join(f"{c} >= {low} AND {c} < {end}" for c, (low, end) in self.ranges.items())

    @property
    def narrowest(self) -> str:
        """The column of its most selective condition, where all values of a column are equally frequent."""
        return min(self.ranges, key=lambda c: self.ranges[c][1] - self.ranges[c][0])


def rules(count: int, share: float) -> list[Rule]:
    """Rules of three or four columns, in ascending order of their names.

    Args:
        count: how many.
        share: of equally distributed rows for which each holds, about.
    """
    # The same for each number of rules, so that fewer are a part of more.
    rng = random.Random(f"{SEED} {share}")  # noqa: S311
    return [_rule(rng, number, share) for number in range(count)]


def skewed_rules(count: int) -> list[Rule]:
    """Rules of eight columns that hold for hot values alone: four fifths of those of each column."""
    rng = random.Random(SEED)  # noqa: S311
    return [
        _ranges(rng, number, rng.sample(COLUMNS, SKEWED_COLUMNS), HOT * 4 // 5, HOT)
        for number in range(count)
    ]


def _rule(rng: random.Random, number: int, share: float) -> Rule:
    columns = rng.sample(COLUMNS, rng.choice((3, 4)))
    width = max(1, round(VALUES * share ** (1 / len(columns))))
    return _ranges(rng, number, columns, width, VALUES)


def _ranges(rng: random.Random, number: int, columns: list[str], width: int, values: int) -> Rule:
    ranges = {c: (low, low + width) for c in columns for low in [rng.randrange(values - width + 1)]}
    return Rule(f"r{number:06d}", ranges)
