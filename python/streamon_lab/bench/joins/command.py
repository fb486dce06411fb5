"""What a command that benches joins does: it makes its data, measures, shows and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.joins.bench import Measured
from streamon_lab.bench.joins.session import Session
from streamon_lab.bench.joins.workload import JoinWorkload
from streamon_lab.bench.targets import Target, judged

Json = dict[str, Any]


@dataclass(frozen=True)
class Command:
    """How a bench makes its workloads, a family after the other, and what it makes of the measurements.

    `as_json` is given these, the environment and the method; `as_markdown` a result and the name of its file.
    """

    families: Sequence[Callable[[], Sequence[JoinWorkload]]]
    as_json: Callable[[Sequence[Measured], Json, Json], Json]
    as_table: Callable[[Json], Table]
    as_markdown: Callable[[Json, str], str]
    targets: Mapping[str, Target]

    def run(self, session: Session, only: Sequence[str] | None, *, file: Path | None, as_text: bool) -> None:
        """Measures the workloads whose names start with one of `only`, or all."""
        console = terminal.console()
        with terminal.progress(console) as progress:
            making = progress.add_task("making the data", total=len(self.families))
            workloads: list[JoinWorkload] = []
            for family in self.families:
                workloads += family()
                progress.advance(making)
            chosen = terminal.chosen(workloads, only)
            result = self.as_json(*session.measure(chosen, progress))
        terminal.conclude(
            result,
            self.as_table(result),
            judged(result["summary"], self.targets),
            lambda name: self.as_markdown(result, name),
            file=file,
            as_text=as_text,
            on=console,
        )
