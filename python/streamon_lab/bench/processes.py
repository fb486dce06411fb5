"""Processor time of processes: Spark counts that of its tasks, not of other threads and of Python workers."""

from __future__ import annotations

from contextlib import suppress

import psutil


def own_cpu_seconds(pid: int) -> float:
    """Processor time of a process itself, all of its threads."""
    return sum(psutil.Process(pid).cpu_times()[:2])  # user and system


def descendants_cpu_seconds(pid: int) -> float:
    """Processor time of all processes below one, those that have ended and were waited for among them."""
    spent = 0.0
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            spent += sum(process.cpu_times()[:4])  # user, system, and both of children
    return spent
