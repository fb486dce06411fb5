"""Measures workloads of joins, in a session of Spark that is started for them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import Progress

from streamon_lab.bench import terminal
from streamon_lab.bench.session import bench_session, environment
from streamon_lab.bench.streaming.bench import Measured, measure
from streamon_lab.bench.streaming.flink import Flink
from streamon_lab.bench.streaming.runner import Runner
from streamon_lab.bench.streaming.variants import Engine
from streamon_lab.bench.streaming.workload import JoinWorkload


@dataclass(frozen=True)
class Session:
    """Where and how workloads are measured.

    Checkpoints are laid below `data`, and removed. `flink` is a Python that has `apache-flink`.
    """

    data: Path
    cores: int
    rounds: int
    quick: bool
    flink: Path | None = None

    def measure(
        self, workloads: Sequence[JoinWorkload], shown: Progress
    ) -> tuple[list[Measured], dict[str, Any], dict[str, Any]]:
        """What was found of each workload, the environment, and the method."""
        started = time.monotonic()
        measured: list[Measured] = []
        checkpoints = self.data / "join-checkpoints"
        starting = shown.add_task("starting Spark", total=1)
        with ExitStack() as stack:
            spark = bench_session(cores=self.cores, adaptive=True)
            stack.callback(shutil.rmtree, checkpoints, ignore_errors=True)
            stack.callback(spark.stop)
            about: dict[str, Any] = {**environment(spark, self.cores)}
            service = stack.enter_context(Flink(self.flink, self.cores)) if self.flink else None
            about["flink"] = service.version if service else None
            if service:
                # Before anything is measured, which takes long and would be lost.
                by_flink = [(w, v) for w in workloads for v in w.variants if v.engine is Engine.FLINK]
                for workload, variant in by_flink:
                    service.explain(workload, variant)
            shown.advance(starting)
            runner = Runner(spark, checkpoints, service)

            def measure_one(workload: JoinWorkload, tick: Callable[[str], None]) -> None:
                measured.append(measure(runner, workload, self.rounds, tick))

            terminal.measure_each(workloads, shown, measure_one)
        minutes = round((time.monotonic() - started) / 60, 1)
        return measured, about, {"quick": self.quick, "rounds": self.rounds, "minutes": minutes}
