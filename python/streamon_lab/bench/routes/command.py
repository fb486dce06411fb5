"""What `streamon-lab bench routes` does: generate the data, measure, show and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from streamon_lab.bench import results, terminal
from streamon_lab.bench.batch import Tick, session
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.filters.workload import Sampled, Workload, sampled_families
from streamon_lab.bench.options import Asked
from streamon_lab.bench.routes import markdown, report
from streamon_lab.bench.routes.bench import Effort, MeasuredFilter, measure_filter
from streamon_lab.bench.routes.joins.bench import MeasuredJoin, measure_join
from streamon_lab.bench.routes.joins.workload import KindsJoin
from streamon_lab.bench.routes.sizes import FULL, QUICK, RouteSizes
from streamon_lab.bench.routes.summary import TARGETS
from streamon_lab.bench.routes.workloads import families, join
from streamon_lab.bench.stopwatch import Stopwatch

FULL_EFFORT = Effort(rounds=7, pilot_rounds=2, cost_runs=3)
QUICK_EFFORT = Effort(rounds=3, pilot_rounds=1, cost_runs=1)

Either = Sampled[Workload] | KindsJoin
"""A filter or a join."""


def every(data: Path, sizes: RouteSizes) -> list[Family[Either]]:
    """The families of filters, and that of the join."""
    filters = sampled_families(families(data, sizes), families(data, QUICK))
    joined = join.family(data, sizes)
    return [*(Family[Either](f.names, f.make) for f in filters), Family(joined.names, joined.make)]


def run_routes(asked: Asked) -> None:
    """Measure the workloads that are asked for."""
    console = terminal.console()
    sizes, effort = (QUICK, QUICK_EFFORT) if asked.quick else (FULL, FULL_EFFORT)
    effort = replace(effort, rounds=asked.rounds or effort.rounds)
    wanted = chosen(every(asked.data, sizes), asked.only)

    def measuring(watch: Stopwatch) -> Callable[[Either, Tick], MeasuredFilter | MeasuredJoin]:
        kept, checkpoints = asked.data / "pass-counts", asked.data / "join-checkpoints"

        def measure(of: Either, tick: Tick) -> MeasuredFilter | MeasuredJoin:
            if isinstance(of, KindsJoin):
                return measure_join(watch.spark, of, checkpoints, effort.rounds, console.print, tick)
            return measure_filter(watch, of.workload, of.sample, kept, effort, console.print, tick)

        return measure

    found = session(wanted, asked.cores, measuring, adaptive=True, console=console)
    method = {
        "quick": asked.quick,
        "rounds": effort.rounds,
        "learned_state": "none at the start of each run",
        "minutes": found.minutes,
    }
    result = report.as_json(found.measured, found.about, method)
    results.conclude(result, report.as_table(result), TARGETS, markdown.as_markdown, asked=asked, on=console)
