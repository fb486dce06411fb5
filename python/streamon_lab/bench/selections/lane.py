"""One way to run a workload, whatever engine it is on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from streamon_lab.bench.measure import Run
from streamon_lab.bench.processes import own_cpu_seconds

Answer = tuple[tuple[int, int], ...]
"""One row, as Spark gives it: the number of matches, and the sum of the ids of their rows."""


@dataclass(frozen=True)
class Lane:
    """A run that can be repeated. One that is sparse is not warmed up, and runs in every other round only."""

    name: str
    run: Callable[[], Run]
    sparse: bool = False


@dataclass(frozen=True)
class Done:
    """One execution by an engine besides Spark. Processor time is that of the whole process."""

    seconds: float
    cpu_seconds: float
    answer: Answer


def timed(matches: Callable[[], tuple[int, int]]) -> Done:
    """Runs what computes in this process."""
    pid = os.getpid()
    cpu, start = own_cpu_seconds(pid), time.perf_counter()
    found = matches()
    seconds = time.perf_counter() - start
    return Done(seconds, own_cpu_seconds(pid) - cpu, (found,))
