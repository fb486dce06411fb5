"""Measures workloads of batch queries, in a session of Spark that is started for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rich.console import Console

from streamon_lab.bench import terminal
from streamon_lab.bench.families import Family, W
from streamon_lab.bench.session import CONF, bench_session, environment
from streamon_lab.bench.stopwatch import Stopwatch

M = TypeVar("M")
Tick = Callable[[str], None]


@dataclass(frozen=True)
class Session(Generic[M]):
    """What was found of each workload.

    Attributes:
        measured: one for each workload, in their order.
        about: the machine and the versions.
        minutes: how long it took, with the time for the data.
    """

    measured: list[M]
    about: dict[str, Any]
    minutes: float


def session(
    wanted: Sequence[Family[W]],
    cores: int,
    measuring: Callable[[Stopwatch], Callable[[W, Tick], M]],
    *,
    adaptive: bool,
    console: Console,
    memory: str = CONF["spark.driver.memory"],
) -> Session[M]:
    """Generate the data, then measure one workload after the other.

    Args:
        wanted: the workloads.
        cores: threads for Spark's tasks.
        measuring: makes what measures a workload, from the stopwatch of the session.
        adaptive: whether StreaMon is loaded.
        console: shows what is running.
        memory: of the driver.
    """
    started = time.monotonic()
    measured: list[M] = []
    with terminal.progress(console) as progress:
        workloads = terminal.made(wanted, progress)
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=cores, adaptive=adaptive, memory=memory)
        about = environment(spark, cores)
        progress.advance(starting)
        try:
            measure = measuring(Stopwatch(spark))
            terminal.measure_each(workloads, progress, lambda w, tick: measured.append(measure(w, tick)))
        finally:
            spark.stop()
    return Session(measured, dict(about), round((time.monotonic() - started) / 60, 1))
