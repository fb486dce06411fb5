"""The times of the variants of a workload of any kind, and how they compare."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from streamon_lab.bench.measure import Timings


class Learned(Protocol):
    """What one run of an adaptive variant counted."""

    @property
    def profiled(self) -> int:
        """Rows that it sampled."""

    @property
    def reorders(self) -> int:
        """Changes of order."""


class Compared(ABC):
    """What was found of a workload. `timings` and `jvm_seconds` are by variant, one for each run.

    `jvm_seconds` is processor time of the whole JVM: what runs beside the tasks is in it.
    """

    timings: dict[str, Timings]
    jvm_seconds: dict[str, list[float]]

    @property
    @abstractmethod
    def name(self) -> str:
        """That of the workload."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """The rows that a run reads."""

    @abstractmethod
    def evaluated(self, variant: str) -> int:
        """Filters that a variant evaluates; those of a join are its look-ups."""

    @abstractmethod
    def learned(self, variant: str) -> Sequence[Learned]:
        """What each run of a variant counted; nothing for one that does not adapt."""

    def cpu(self, variant: str, to: str) -> float:
        """Median processor time of the tasks of a variant over that of another."""
        return self.timings[variant].cpu_median / self.timings[to].cpu_median

    def clock(self, variant: str, to: str) -> float:
        """The same by the clock."""
        return self.timings[variant].median / self.timings[to].median

    def jvm(self, variant: str, to: str) -> float:
        """The same in processor time of the JVM."""
        return statistics.median(self.jvm_seconds[variant]) / statistics.median(self.jvm_seconds[to])
