"""Sampled rows that a predicate has dropped: what is behind is evaluated for them as well, to learn of it."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns

from .packs import Limits, rows_of
from .run import Run
from .steps import Steps


class Sampled:
    """Such rows of one batch, by their positions in it."""

    def __init__(self, run: Run, positions: list[int]) -> None:
        self.run = run
        self.positions = positions
        self.rows = run.some(positions)

    @property
    def bytes(self) -> int:
        """Their size, about."""
        return self.run.batch.share(self.rows.size)


def complete(steps: Steps, runs: Sequence[Run]) -> None:
    """Completes the profiles of batches on one path that are through."""
    limits = Limits(runs)
    for position, k in enumerate(runs[0].path if runs else []):
        q = steps.predicate(k)
        dropped = [Sampled(run, rows) for run in runs if (rows := run.profile.dropped_before(position))]
        if q is not None:
            for pack in limits.packs(dropped):
                _evaluate(steps, q, k, pack)


def _evaluate(steps: Steps, q: int, k: int, pack: Sequence[Sampled]) -> None:
    parts = [each.rows for each in pack]
    begun = perf_counter_ns()
    try:
        steps.prepare(k, parts)
        prepared = perf_counter_ns()
        passing = steps.passing(k, parts)
    except (GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException:
        pack[0].run.profile.extra_nanos += perf_counter_ns() - begun
        if len(pack) == 1:
            pack[0].run.profile.forget(pack[0].positions)
        else:
            for each in pack:
                _evaluate(steps, q, k, [each])
        return
    ended = perf_counter_ns()
    rows = rows_of(pack)
    for each, kept in zip(pack, passing, strict=True):
        size = each.rows.size
        passed = list(range(size)) if kept is None else kept.list
        profile = each.run.profile
        profile.artificially(q, each.positions, passed, (ended - prepared) * size // rows)
        profile.extra_nanos += (ended - begun) * size // rows
