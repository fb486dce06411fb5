"""The bench of rules: all ways to run the rules of one workload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import numpy as np

from streamon_lab.bench.measure import Run, Timings, interleaved
from streamon_lab.bench.selections.engines import lanes as engines
from streamon_lab.bench.selections.lane import Lane
from streamon_lab.bench.selections.memory import bytes_of_sets, require_operator
from streamon_lab.bench.selections.rows import Data, cached, rows
from streamon_lab.bench.selections.rules import COLUMNS
from streamon_lab.bench.selections.sequences import FixedSequence, best_and_worst
from streamon_lab.bench.selections.streams import streamed
from streamon_lab.bench.selections.variants import (
    BEST,
    INDEX_JOIN,
    MATCH,
    ROWS,
    SCAN,
    SHARE,
    STOCK,
    Variant,
    match,
    streaming,
    variants,
    with_rules,
)
from streamon_lab.bench.selections.workload import RuleWorkload
from streamon_lab.bench.stopwatch import Stopwatch

Tick = Callable[[str], None]

LEAST_WEIGHED = 10_000
"""Rules from which on the memory of their sets is read."""

FEW_RULES = 10
"""Rules up to which runs are short."""

MORE_ROUNDS = 4
"""How many times as often lanes of short runs are measured."""


@dataclass(frozen=True)
class Measured:
    """What was found of one workload.

    Attributes:
        workload: what was run.
        timings: of each lane, by its name.
        sequences: the best and the worst fixed one, in batches.
        set_bytes: memory of the sets of rules; None where it is not read.
    """

    workload: RuleWorkload
    timings: dict[str, Timings]
    sequences: tuple[FixedSequence, ...] = ()
    set_bytes: float | None = None

    @property
    def fastest_stock(self) -> str | None:
        """The way in stock Spark that takes the least time by the clock, if any was measured."""
        stock = [name for name in self.timings if name in STOCK]
        return min(stock, key=lambda name: self.timings[name].median, default=None)

    @property
    def to_index(self) -> float | None:
        """The time of StreaMon over that of the fastest other index that was measured, each with its scan."""
        times = [self.timings[name].median for name in (BEST, INDEX_JOIN) if name in self.timings]
        if engines.INVERTED in self.timings:
            times.append(self.timings[SCAN].median + self.timings[engines.INVERTED].median)
        return self.timings[MATCH].median / min(times) if times else None

    def speedup(self, variant: str) -> float:
        """Its time by the clock over that of StreaMon."""
        return self.timings[variant].median / self.timings[MATCH].median

    def scans(self, variant: str) -> float:
        """Its time by the clock in multiples of that of reading the columns."""
        return self.timings[variant].median / self.timings[SCAN].median


def measure(watch: Stopwatch, workload: RuleWorkload, rounds: int, cores: int, tick: Tick) -> Measured:
    """Times all lanes of a workload.

    Args:
        watch: of the session.
        workload: what to run.
        rounds: measured runs of each lane; short ones have `MORE_ROUNDS` times as many.
        cores: threads of the engines besides Spark.
        tick: is told what is running.
    """
    tick("rows and rules")
    with_rules(watch.spark, workload)
    if workload.streamed:
        return _stream(watch, workload, rounds, tick)
    with ExitStack() as stack:
        frame = stack.enter_context(cached(watch.spark, ROWS, workload.data, workload.rows))
        table = frame.toArrow()
        values = np.stack([table[c].to_numpy() for c in COLUMNS], axis=1)
        sequences = best_and_worst(workload.rules, COLUMNS, values)
        compared = variants(workload, *sequences)
        for variant in compared:
            if variant.conf == SHARE:
                require_operator(watch.spark, variant.query, variant.conf)
        lanes = _lanes(compared, lambda v: watch.run(v.query, v.conf))
        if workload.data is Data.EVEN:
            lanes += stack.enter_context(engines.opened(workload, table, values, cores))
        timings = _interleaved(lanes, rounds_of(workload, rounds), tick)
        set_bytes = None
        if workload.count >= LEAST_WEIGHED:
            tick("memory")
            set_bytes = bytes_of_sets(watch.spark, match().query)
        return Measured(workload, timings, sequences, set_bytes)


def rounds_of(workload: RuleWorkload, rounds: int) -> int:
    """Measured runs of each lane in batches: more where a run is short, and so its time is noisy."""
    is_short = workload.count <= FEW_RULES or workload.data is not Data.EVEN
    return rounds * MORE_ROUNDS if is_short else rounds


def _stream(watch: Stopwatch, workload: RuleWorkload, rounds: int, tick: Tick) -> Measured:
    with streamed(watch.spark, rows(watch.spark, workload.data, workload.rows).toArrow()) as stream:
        lanes = _lanes(streaming(workload), stream.run)
        return Measured(workload, _interleaved(lanes, rounds, tick))


def _lanes(compared: Sequence[Variant], run: Callable[[Variant], Run]) -> list[Lane]:
    return [Lane(variant.name, partial(run, variant), variant.sparse) for variant in compared]


def _interleaved(lanes: Sequence[Lane], rounds: int, tick: Tick) -> dict[str, Timings]:
    return interleaved(
        lambda lane: lane.run(),
        lanes,
        rounds,
        warms_sparse=False,
        shuffled=True,
        agrees=lambda lane: lane.name != SCAN,
        tick=tick,
    )
