"""Batches on their way, in the order in which they came."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from time import perf_counter_ns

from .run import Run
from .steps import Steps

MOST_BYTES = 64 << 20
MOST_BATCHES = 8


class Line:
    """Takes batches through their steps.

    A vectorised function costs its user a call, however few the rows. So batches of which few rows are left
    wait for each other ahead of it, until their rows together are half as many as the largest has, and are
    never more. All have the same path.
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
            yield from self._go(waits=not self._is_full())
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
        width = max(run.batch.size for run in self._runs)
        for position, k in enumerate(self._runs[0].path):
            here = [run for run in self._runs if run.position == position and not run.is_through]
            vectorised = self._steps[k].function.vectorised
            for pack in _packs(here, width) if vectorised else [[run] for run in here]:
                if not (waits and vectorised) or 2 * _rows(pack) >= width:
                    self._take(k, pack)

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
        rows = _rows(pack)
        for run, kept in zip(pack, passing, strict=True):
            if q is not None:
                run.take(q, kept, nanos * run.rows.size // rows)
            run.position += 1

    def _leave(self) -> Iterator[Run]:
        through = list(takewhile(lambda run: run.is_through, self._runs))
        self._complete([run for run in through if not run.has_raised])
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

    def _complete(self, runs: Sequence[Run]) -> None:
        """Evaluates sampled rows that were dropped by what is behind as well."""
        for position, k in enumerate(runs[0].path if runs else []):
            q = self._steps.predicate(k)
            sampled = [(run, run.profile.dropped_before(position)) for run in runs]
            if q is not None:
                self._evaluate_dropped(q, k, [(run, rows) for run, rows in sampled if rows])

    def _evaluate_dropped(self, q: int, k: int, sampled: Sequence[tuple[Run, list[int]]]) -> None:
        if not sampled:
            return
        started = perf_counter_ns()
        try:
            passing = self._steps.passing(k, [run.some(rows) for run, rows in sampled])
        except (GeneratorExit, KeyboardInterrupt):
            raise
        except BaseException:
            if len(sampled) == 1:
                ((run, rows),) = sampled
                run.profile.forget(rows)
            else:
                for each in sampled:
                    self._evaluate_dropped(q, k, [each])
            return
        nanos = perf_counter_ns() - started
        total = sum(len(rows) for _, rows in sampled)
        for (run, rows), kept in zip(sampled, passing, strict=True):
            passed = list(range(len(rows))) if kept is None else kept.list
            run.profile.artificially(q, rows, passed, nanos * len(rows) // total)


def _rows(pack: Sequence[Run]) -> int:
    return sum(run.rows.size for run in pack)


def _packs(runs: Sequence[Run], width: int) -> list[list[Run]]:
    """Batches side by side, of no more rows together than a width."""
    packs: list[list[Run]] = []
    for run in runs:
        if packs and _rows(packs[-1]) + run.rows.size <= width:
            packs[-1].append(run)
        else:
            packs.append([run])
    return packs
