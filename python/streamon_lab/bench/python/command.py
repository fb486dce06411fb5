"""What `streamon-lab bench python` does: generate the data, measure, show and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from streamon_lab.bench import results, terminal
from streamon_lab.bench.batch import Tick, session
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.filters.workload import Sampled, sampled
from streamon_lab.bench.options import Asked
from streamon_lab.bench.python import markdown, report
from streamon_lab.bench.python.bench import Effort, Measured, measure
from streamon_lab.bench.python.sizes import FULL, QUICK
from streamon_lab.bench.python.summary import TARGETS
from streamon_lab.bench.python.workload import PythonWorkload
from streamon_lab.bench.python.workloads import NAMES, workloads
from streamon_lab.bench.stopwatch import Stopwatch

FULL_EFFORT, QUICK_EFFORT = Effort(rounds=5, cost_runs=3), Effort(rounds=1, cost_runs=1)


def run_python(asked: Asked) -> None:
    """Measure the workloads that are asked for."""
    console = terminal.console()
    sizes, effort = (QUICK, QUICK_EFFORT) if asked.quick else (FULL, FULL_EFFORT)
    effort = replace(effort, rounds=asked.rounds or effort.rounds)

    def make() -> list[Sampled[PythonWorkload]]:
        return sampled(workloads(asked.data, sizes), workloads(asked.data, QUICK))

    wanted = chosen([Family(NAMES, make)], asked.only)

    def measuring(watch: Stopwatch) -> Callable[[Sampled[PythonWorkload], Tick], Measured]:
        counts = asked.data / "pass-counts"
        return lambda of, tick: measure(watch, of.workload, of.sample, counts, effort, tick)

    found = session(wanted, asked.cores, measuring, adaptive=True, console=console)
    method = {"quick": asked.quick, "rounds": effort.rounds, "minutes": found.minutes}
    result = report.as_json(found.measured, found.about, method)
    results.conclude(result, report.as_table(result), TARGETS, markdown.as_markdown, asked=asked, on=console)
