"""Interleaved timing of variants that must give one answer."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar


class DifferentAnswersError(AssertionError):
    """Two variants of one workload gave different rows."""


class Variant(Protocol):
    """A way to run a workload. One that is `sparse` runs every other round."""

    @property
    def name(self) -> str:
        """By which its timings go."""

    @property
    def sparse(self) -> bool:
        """Whether it is too slow to run in every round."""


class Run(Protocol):
    """One execution: wall-clock seconds, processor seconds of its work, and its answer."""

    @property
    def seconds(self) -> float:
        """Wall-clock time."""

    @property
    def cpu_seconds(self) -> float:
        """Processor time of its tasks and, where these are counted, of their workers."""

    @property
    def answer(self) -> Any:
        """What every variant must give alike."""


V = TypeVar("V", bound=Variant)
R = TypeVar("R", bound=Run)


@dataclass
class Timings:
    """The samples of one variant, in seconds."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Median of the wall-clock times."""
        return statistics.median(self.seconds)

    @property
    def cpu_median(self) -> float:
        """Median of the processor times."""
        return statistics.median(self.cpu_seconds)

    @property
    def spread(self) -> float:
        """From the fastest sample to the slowest, as a share of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median


def interleaved(
    run: Callable[[V], R],
    variants: Sequence[V],
    rounds: int,
    *,
    warm_up: Callable[[V], R] | None = None,
    warms_sparse: bool = True,
    shuffled: bool = False,
    after: Callable[[V, R], None] = lambda _, __: None,
    agrees: Callable[[V], bool] = lambda _: True,
    tick: Callable[[str], None] = lambda _: None,
) -> dict[str, Timings]:
    """Runs every variant once to warm it up, then `rounds` times, each once in a round.

    Each round starts with another variant, so that none always comes first.

    Args:
        run: executes a variant.
        variants: their names are the keys of what is returned.
        rounds: how many runs of each are measured.
        warm_up: executes a variant for the first time, when that is not to be done by `run`.
        warms_sparse: whether sparse variants are warmed up too. If not, the first of their runs is cold.
        after: is told of each measured run.
        shuffled: whether each round has a sequence of its own instead, so that what comes before a variant
            differs. It is drawn by the number of the round.
        agrees: whether a variant must give the answer of the others.
        tick: is told which variant comes next.

    Raises:
        DifferentAnswersError: the rows of two runs differ.
    """
    timings = {v.name: Timings() for v in variants}
    expected: tuple[str, R] | None = None
    for round_ in range(rounds + 1):
        shift = round_ % len(variants)
        sequence = [*variants[shift:], *variants[:shift]]
        if shuffled:
            random.Random(round_).shuffle(sequence)  # noqa: S311
        for variant in sequence:
            is_due = warms_sparse if round_ == 0 else round_ % 2 == 1
            if variant.sparse and not is_due:
                continue
            tick(variant.name)
            done = warm_up(variant) if warm_up is not None and round_ == 0 else run(variant)
            if not agrees(variant):
                pass
            elif expected is None:
                expected = variant.name, done
            elif done.answer != expected[1].answer:
                raise DifferentAnswersError(
                    f"{variant.name} gives {done.answer}, {expected[0]} gives {expected[1].answer}"
                )
            if round_ > 0:
                timings[variant.name].seconds.append(done.seconds)
                timings[variant.name].cpu_seconds.append(done.cpu_seconds)
                after(variant, done)
    return timings


def apart(ratio: float) -> float:
    """How far two equal things were measured apart, as a share."""
    return max(ratio, 1 / ratio) - 1
