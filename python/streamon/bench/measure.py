"""Interleaved timing of variants that must give one answer."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from streamon.bench.stopwatch import Run, Stopwatch
from streamon.bench.workload import Order


class DifferentAnswersError(AssertionError):
    """Two variants of one workload gave different rows."""


@dataclass(frozen=True)
class Variant:
    """A way to run a workload: its text and settings.

    `written` is the order of its conjuncts if it is adaptive. A variant that is `sparse` runs every
    other round.
    """

    name: str
    query: str
    conf: Mapping[str, str] = field(default_factory=dict)
    written: Order | None = None
    sparse: bool = False


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
        """Median of the tasks' processor times."""
        return statistics.median(self.cpu_seconds)

    @property
    def spread(self) -> float:
        """From the fastest sample to the slowest, as a share of the median."""
        return (max(self.seconds) - min(self.seconds)) / self.median


def interleaved(
    watch: Stopwatch,
    variants: Sequence[Variant],
    rounds: int,
    *,
    after: Callable[[Variant], None] = lambda _: None,
    tick: Callable[[str], None] = lambda _: None,
) -> dict[str, Timings]:
    """Runs every variant once to warm it up, then `rounds` times round-robin.

    Each round starts with another variant, so that none always follows the same one. The garbage of one
    run is collected before the next.

    Raises:
        DifferentAnswersError: the rows of two runs differ.
    """
    timings = {v.name: Timings() for v in variants}
    expected: tuple[str, Run] | None = None
    for round_ in range(rounds + 1):
        shift = round_ % len(variants)
        for variant in (*variants[shift:], *variants[:shift]):
            if variant.sparse and round_ > 0 and round_ % 2 == 0:
                continue
            tick(variant.name)
            run = watch.run(variant.query, variant.conf)
            if expected is None:
                expected = variant.name, run
            elif run.answer != expected[1].answer:
                raise DifferentAnswersError(
                    f"{variant.name} gives {run.answer}, {expected[0]} gives {expected[1].answer}"
                )
            if round_ > 0:
                timings[variant.name].seconds.append(run.seconds)
                timings[variant.name].cpu_seconds.append(run.cpu_seconds)
                after(variant)
    return timings
