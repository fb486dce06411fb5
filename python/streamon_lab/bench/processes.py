"""Processor time of other processes: Spark counts that of its threads, not that of its Python workers."""

from __future__ import annotations

from contextlib import suppress

import psutil


def descendants_cpu_seconds(pid: int) -> float:
    """Processor time of all processes below one, those that have ended and were waited for among them."""
    spent = 0.0
    for process in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            spent += sum(process.cpu_times()[:4])  # user, system, and both of children
    return spent
