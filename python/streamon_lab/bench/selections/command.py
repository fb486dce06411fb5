"""What `streamon-lab bench selections` does: measure, show and write."""

from __future__ import annotations

from collections.abc import Callable

from streamon_lab.bench import results, terminal
from streamon_lab.bench.batch import Tick, session
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.options import Asked
from streamon_lab.bench.selections import markdown, report
from streamon_lab.bench.selections.bench import Measured, measure
from streamon_lab.bench.selections.engines.lanes import limit_threads, versions
from streamon_lab.bench.selections.summary import TARGETS
from streamon_lab.bench.selections.workload import NAMES, RuleWorkload, workloads
from streamon_lab.bench.stopwatch import Stopwatch

FULL_ROWS, QUICK_ROWS = 1_000_000, 50_000
FULL_ROUNDS, QUICK_ROUNDS = 3, 1
MEMORY = "10g"
"""Spark's compiler takes more than four to compile an array of 1,000 CASEs."""


def run_selections(asked: Asked) -> None:
    """Measure the workloads that are asked for."""
    console = terminal.console()
    rows = QUICK_ROWS if asked.quick else FULL_ROWS
    rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else FULL_ROUNDS)
    wanted = chosen([Family(NAMES, lambda: workloads(rows))], asked.only)

    def measuring(watch: Stopwatch) -> Callable[[RuleWorkload, Tick], Measured]:
        return lambda workload, tick: measure(watch, workload, rounds, asked.cores, tick)

    limit_threads(asked.cores)
    found = session(wanted, asked.cores, measuring, adaptive=True, console=console, memory=MEMORY)
    method = {"quick": asked.quick, "rounds": rounds, "minutes": found.minutes}
    about = {**found.about, "engines": versions()}
    result = report.as_json(found.measured, about, method)
    results.conclude(result, report.as_table(result), TARGETS, markdown.as_markdown, asked=asked, on=console)
