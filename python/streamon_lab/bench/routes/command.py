"""What `streamon-lab bench routes` does: generate the data, measure, show and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from streamon_lab.bench import terminal
from streamon_lab.bench.batch import Tick, session
from streamon_lab.bench.families import chosen
from streamon_lab.bench.filters.workload import Sampled, Workload, sampled_families
from streamon_lab.bench.options import Asked
from streamon_lab.bench.routes import markdown, report
from streamon_lab.bench.routes.bench import Effort, MeasuredFilter, measure_filter
from streamon_lab.bench.routes.sizes import FULL, QUICK
from streamon_lab.bench.routes.summary import TARGETS
from streamon_lab.bench.routes.workloads import families
from streamon_lab.bench.stopwatch import Stopwatch
from streamon_lab.bench.targets import judged

FULL_EFFORT = Effort(rounds=7, pilot_rounds=2, cost_runs=3)
QUICK_EFFORT = Effort(rounds=3, pilot_rounds=1, cost_runs=1)


def run_routes(asked: Asked) -> None:
    """Measure the workloads that are asked for."""
    console = terminal.console()
    sizes, effort = (QUICK, QUICK_EFFORT) if asked.quick else (FULL, FULL_EFFORT)
    effort = replace(effort, rounds=asked.rounds or effort.rounds)
    wanted = chosen(sampled_families(families(asked.data, sizes), families(asked.data, QUICK)), asked.only)

    def measuring(watch: Stopwatch) -> Callable[[Sampled[Workload], Tick], MeasuredFilter]:
        kept = asked.data / "pass-counts"
        return lambda of, tick: measure_filter(
            watch, of.workload, of.sample, kept, effort, console.print, tick
        )

    found = session(wanted, asked.cores, measuring, adaptive=True, console=console)
    method = {
        "quick": asked.quick,
        "rounds": effort.rounds,
        "learned_state": "none at the start of each run",
        "minutes": found.minutes,
    }
    result = report.as_json(found.measured, found.about, method)
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], TARGETS),
        lambda name: markdown.as_markdown(result, name),
        json_file=asked.json_file,
        on=console,
    )
