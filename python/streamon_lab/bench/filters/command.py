"""What `streamon-lab bench filters` does: generate the data, measure, show and write."""

from __future__ import annotations

from collections.abc import Callable

from streamon_lab.bench import results, terminal
from streamon_lab.bench.batch import Tick, session
from streamon_lab.bench.families import chosen
from streamon_lab.bench.filters import markdown, report
from streamon_lab.bench.filters.bench import Bench, Measured
from streamon_lab.bench.filters.sizes import FULL, QUICK
from streamon_lab.bench.filters.workload import Sampled, Workload, sampled_families
from streamon_lab.bench.filters.workloads import families
from streamon_lab.bench.options import Asked
from streamon_lab.bench.stopwatch import Stopwatch

ROUNDS, QUICK_ROUNDS = 7, 3


def run_filters(asked: Asked, *, adaptive: bool) -> None:
    """Measure the workloads that are asked for; unless `adaptive` on stock Spark alone."""
    console = terminal.console()
    sizes = QUICK if asked.quick else FULL
    rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else ROUNDS)
    wanted = chosen(sampled_families(families(asked.data, sizes), families(asked.data, QUICK)), asked.only)

    def measuring(watch: Stopwatch) -> Callable[[Sampled[Workload], Tick], Measured]:
        runner = Bench(watch, asked.data / "pass-counts", rounds, streamon=adaptive)
        return lambda sampled, tick: runner.measure(sampled.workload, sampled.sample, tick)

    found = session(wanted, asked.cores, measuring, adaptive=adaptive, console=console)
    method = {
        "quick": asked.quick,
        "rounds": rounds,
        "learned_state": "none at the start of each run",
        "minutes": found.minutes,
    }
    result = report.as_json(found.measured, found.about, method)
    results.conclude(
        result, report.as_table(result), report.TARGETS, markdown.as_markdown, asked=asked, on=console
    )
