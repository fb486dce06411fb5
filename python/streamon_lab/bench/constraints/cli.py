"""`streamon bench constraints`."""

from __future__ import annotations

from pathlib import Path

from streamon_lab.bench.constraints import markdown, report
from streamon_lab.bench.constraints.sizes import FULL, QUICK
from streamon_lab.bench.constraints.summary import TARGETS
from streamon_lab.bench.constraints.workloads import workloads
from streamon_lab.bench.joins.command import Command
from streamon_lab.bench.joins.session import Session
from streamon_lab.bench.options import AsText, Cores, Data, File, Only, Quick, Rounds

ROUNDS, QUICK_ROUNDS = 2, 1


def constraints(
    file: File = None,
    as_json_text: AsText = False,
    quick: Quick = False,
    data: Data = Path("build/bench-data"),
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
) -> None:
    """k-constraints: MJoins that let go by them against MJoins that keep all, and Spark's chain."""
    sizes, rounds = (QUICK, rounds or QUICK_ROUNDS) if quick else (FULL, rounds or ROUNDS)
    command = Command(
        [lambda: workloads(data, sizes)], report.as_json, report.as_table, markdown.as_markdown, TARGETS
    )
    command.run(Session(data, cores, rounds, quick), only, file=file, as_text=as_json_text)
