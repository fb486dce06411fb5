"""Batches on their way, in the order in which they came."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from time import perf_counter_ns

from .packs import Limits, rows_of
from .run import Run
from .sampled import complete
from .steps import Steps

MOST_BYTES = 64 << 20
MOST_BATCHES = 8


class Line:
    """Takes batches through their steps.

    A vectorised function costs its user a call, however few the rows. So batches of which few rows are left
    wait for each other ahead of it. They are judged together when they have half as many rows as the largest
    batch, or when the line is full. All have the same path.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._runs: deque[Run] = deque()
        self._came = 0

    def through(self, runs: Iterator[Run]) -> Iterator[Run]:
        """Batches that are through, in the order in which they come."""
        for run in runs:
            if self._runs and self._runs[0].path != run.path:
                yield from self._go(waits=False)
            self._runs.append(run)
            self._came += 1
            yield from self._go(waits=run.batch.waits and not self._is_full())
        yield from self._go(waits=False)

    def _go(self, waits: bool) -> Iterator[Run]:
        if self._runs:
            self._advance(waits)
            yield from self._leave()

    def _is_full(self) -> bool:
        """The first batches of a task do not wait: perhaps no more rows are wanted than they have."""
        most = min(self._came // 2, MOST_BATCHES)
        return len(self._runs) >= most or sum(run.batch.bytes for run in self._runs) >= MOST_BYTES

    def _advance(self, waits: bool) -> None:
        limits = Limits(self._runs)
        for position, k in enumerate(self._runs[0].path):
            here = [run for run in self._runs if run.position == position and not run.is_through]
            vectorised = self._steps[k].function.vectorised
            for pack in limits.packs(here) if vectorised else [[run] for run in here]:
                if not (waits and vectorised) or 2 * rows_of(pack) >= limits.rows:
                    self._take(k, pack)
        if waits:
            for run in self._runs:
                run.rows.trim()

    def _take(self, k: int, pack: Sequence[Run]) -> None:
        """Takes batches through a step."""
        q = self._steps.predicate(k)
        started = perf_counter_ns()
        try:
            passing = self._steps.passing(k, [run.rows for run in pack])
        except (GeneratorExit, KeyboardInterrupt):
            raise
        except BaseException:
            if len(pack) == 1:
                pack[0].fail(q)
            else:
                for run in pack:
                    self._take(k, [run])
            return
        nanos = perf_counter_ns() - started
        rows = rows_of(pack)
        for run, kept in zip(pack, passing, strict=True):
            if q is not None:
                run.take(q, kept, nanos * run.rows.size // rows)
            run.position += 1

    def _leave(self) -> Iterator[Run]:
        through = list(takewhile(lambda run: run.is_through, self._runs))
        complete(self._steps, [run for run in through if not run.has_raised])
        for run in through:
            self._runs.popleft()
            if run.has_raised:
                self._judge(run)
            yield run

    def _judge(self, run: Run) -> None:
        """As Spark judges a batch on which a function raises. It is done when those before are answered."""
        if run.batch.behind:
            # Spark calls no function for a row that the JVM would drop: it is asked first.
            run.profile.unresolved = True
            run.rows = run.some([])
        else:
            # Spark calls all functions on all rows of a level: what that raises, stands.
            self._steps.as_written(run.rows, run.profile)
