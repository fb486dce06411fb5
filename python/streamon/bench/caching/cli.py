"""`streamon bench caching`."""

from __future__ import annotations

from pathlib import Path

from streamon.bench import terminal
from streamon.bench.caching import markdown, report
from streamon.bench.caching.sizes import FULL, QUICK
from streamon.bench.caching.summary import TARGETS
from streamon.bench.caching.workloads import workloads
from streamon.bench.joins.session import Session
from streamon.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds
from streamon.bench.targets import judged

ROUNDS, QUICK_ROUNDS = 2, 1


def caching(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
) -> None:
    """Caches of subresults: MJoins with them against MJoins without, and against Spark's chain."""
    console = terminal.console()
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    with terminal.progress(console) as progress:
        making = progress.add_task("making the data", total=1)
        chosen = terminal.chosen(workloads(data, sizes), only)
        progress.advance(making)
        session = Session(data, cores, rounds, quick)
        result = report.as_json(*session.measure(chosen, progress))
    terminal.conclude(
        result,
        report.as_table(result),
        judged(result["summary"], TARGETS),
        lambda name: markdown.as_markdown(result, name),
        file=file,
        as_text=as_json_text,
        on=console,
    )
