"""The best and the worst fixed sequence of look-ups, exactly, for rows and rules.

What is left of a row after some columns does not depend on their order: a row is alive while some rule can
still hold. A sequence costs the rows that are alive before each of its look-ups, so the best one is found
over the sets of columns, and not over all sequences of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from streamon_lab.bench.selections.rules import Rule

MOST_ROWS = 4_000
MOST_PAIRS = 20_000_000
"""Of rows and rules that are looked at. Rows are sampled to stay below it."""


@dataclass(frozen=True)
class FixedSequence:
    """An order of columns, and how many of them a row is asked on average."""

    columns: tuple[str, ...]
    asked: float


def best_and_worst(
    rules: Sequence[Rule], columns: Sequence[str], rows: npt.NDArray[np.int32]
) -> tuple[FixedSequence, FixedSequence]:
    """Of the columns that the rules compare.

    Args:
        rules: what is looked up.
        columns: the names of the columns of `rows`.
        rows: all rows, of which some are sampled, always the same.
    """
    used = [c for c in columns if any(c in rule.ranges for rule in rules)]
    size = min(MOST_ROWS, len(rows), max(200, MOST_PAIRS // len(rules)))
    chosen = np.sort(np.random.default_rng(0).choice(len(rows), size, replace=False))
    sample = rows[chosen][:, [columns.index(c) for c in used]]
    alive = rows_alive(rules, used, sample)
    return _extreme(used, alive, min), _extreme(used, alive, max)


def rows_alive(
    rules: Sequence[Rule], columns: Sequence[str], rows: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """The share of the rows that are alive after each set of columns; bit `i` of a set is the column `i`."""
    sets = 1 << len(columns)
    everything = (-(2**31), 2**31 - 1)
    bounds = np.array([[rule.ranges.get(c, everything) for c in columns] for rule in rules], dtype=np.int32)
    counts = np.zeros(sets)
    for row in rows:
        fails = (row < bounds[:, :, 0]) | (row >= bounds[:, :, 1])
        failed = fails @ (1 << np.arange(len(columns)))
        # A rule survives the sets that have none of the columns which it fails.
        survived = np.zeros(sets, dtype=bool)
        survived[~failed & (sets - 1)] = True
        for bit in range(len(columns)):
            pairs = survived.reshape(-1, 2, 1 << bit)
            pairs[:, 0] |= pairs[:, 1]
        counts += survived
    return counts / len(rows)


def _extreme(
    columns: Sequence[str], alive: npt.NDArray[np.float64], extreme: Callable[..., tuple[float, int]]
) -> FixedSequence:
    """The cheapest or the dearest sequence: that of each set, from those of the sets that lack one column."""
    cost, last = np.zeros(len(alive)), np.zeros(len(alive), dtype=int)
    for asked in range(1, len(alive)):
        bits = [bit for bit in range(len(columns)) if asked >> bit & 1]
        cost[asked], last[asked] = extreme(
            (cost[asked ^ 1 << bit] + alive[asked ^ 1 << bit], bit) for bit in bits
        )
    sequence, left = [], len(alive) - 1
    while left:
        sequence.append(columns[last[left]])
        left ^= 1 << int(last[left])
    return FixedSequence(tuple(reversed(sequence)), float(cost[-1]))
