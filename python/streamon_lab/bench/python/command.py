"""What `streamon-lab bench python` does: generate the data, measure, show and write."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from streamon_lab.bench import terminal
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.filters.workload import Sampled
from streamon_lab.bench.options import Asked
from streamon_lab.bench.python import markdown, report
from streamon_lab.bench.python.bench import Effort, Measured, measure
from streamon_lab.bench.python.sizes import FULL, QUICK
from streamon_lab.bench.python.summary import TARGETS
from streamon_lab.bench.python.workload import PythonWorkload
from streamon_lab.bench.python.workloads import NAMES, workloads
from streamon_lab.bench.session import bench_session, environment
from streamon_lab.bench.stopwatch import Stopwatch
from streamon_lab.bench.targets import judged

FULL_EFFORT, QUICK_EFFORT = Effort(rounds=5, cost_runs=3), Effort(rounds=1, cost_runs=1)


def run_python(asked: Asked) -> None:
    """Measure the workloads that are asked for."""
    console = terminal.console()
    sizes, effort = (QUICK, QUICK_EFFORT) if asked.quick else (FULL, FULL_EFFORT)
    effort = replace(effort, rounds=asked.rounds or effort.rounds)

    def make() -> list[Sampled[PythonWorkload]]:
        pairs = zip(workloads(asked.data, sizes), workloads(asked.data, QUICK), strict=True)
        return [Sampled(workload, few.table) for workload, few in pairs]

    wanted = chosen([Family(NAMES, make)], asked.only)
    started = time.monotonic()
    measured: list[Measured] = []
    with terminal.progress(console) as progress:
        found = terminal.made(wanted, progress)
        starting = progress.add_task("starting Spark", total=1)
        spark = bench_session(cores=asked.cores, adaptive=True)
        about = environment(spark, asked.cores)
        progress.advance(starting)
        watch = Stopwatch(spark)

        def run(sampled: Sampled[PythonWorkload], tick: Callable[[str], None]) -> None:
            kept = asked.data / "pass-counts"
            measured.append(measure(watch, sampled.workload, sampled.sample, kept, effort, tick))

        terminal.measure_each(found, progress, run)
    spark.stop()
    minutes = round((time.monotonic() - started) / 60, 1)
    result = report.as_json(
        measured, about, {"quick": asked.quick, "rounds": effort.rounds, "minutes": minutes}
    )
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], TARGETS),
        lambda name: markdown.as_markdown(result, name),
        json_file=asked.json_file,
        on=console,
    )
