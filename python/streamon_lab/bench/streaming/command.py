"""What a bench of streaming joins does: generate the data, measure, show and write."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import typer
from rich.table import Table

from streamon_lab.bench import results, terminal
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.options import Asked
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.session import Session
from streamon_lab.bench.streaming.variants import Engine
from streamon_lab.bench.streaming.workload import JoinWorkload
from streamon_lab.bench.targets import Target

Json = dict[str, Any]
ROUNDS, QUICK_ROUNDS = 2, 1

S = TypeVar("S")


@dataclass(frozen=True)
class StreamingBench(Generic[S]):
    """A bench of streaming joins.

    Attributes:
        full: how much data a run gets.
        quick: how much data a smoke test gets.
        families: the workloads with data of a size, generated below a folder.
        as_json: makes the result of the measurements, the environment and the method.
        as_table: shows a result in the terminal.
        as_markdown: makes the page of a result and the name of its JSON file.
        targets: what is asked of the figures of the summary.
    """

    full: S
    quick: S
    families: Callable[[Path, S], Sequence[Family[JoinWorkload]]]
    as_json: Callable[[Sequence[Measured], Json, Json], Json]
    as_table: Callable[[Json], Table]
    as_markdown: Callable[[Json, str], str]
    targets: Mapping[str, Target]

    def run(self, asked: Asked, flink: Path | None = None) -> None:
        """Measure the workloads that are asked for.

        Args:
            asked: the options.
            flink: a Python that has `apache-flink`; without it Flink is not measured.

        Raises:
            typer.BadParameter: no workload has a name that is asked for, or the result would replace one
                with figures of Flink, and has none.
        """
        console = terminal.console()
        sizes = self.quick if asked.quick else self.full
        wanted = chosen(self.families(asked.data, sizes), asked.only)
        if flink is None:
            keep_figures_of_flink(asked.json_file)
        rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else ROUNDS)
        session = Session(asked.data, asked.cores, rounds, asked.quick, flink)
        with terminal.progress(console) as progress:
            workloads = terminal.made(wanted, progress)
            if flink is None:
                workloads = [workload.without(Engine.FLINK) for workload in workloads]
            result = self.as_json(*session.measure(workloads, progress))
        results.conclude(
            result, self.as_table(result), self.targets, self.as_markdown, asked=asked, on=console
        )


def keep_figures_of_flink(json_file: Path | None) -> None:
    """Refuse to replace a result that has figures of Flink by one that has none.

    Raises:
        typer.BadParameter: the file has figures of Flink.
    """
    if json_file is None or not json_file.is_file():
        return
    try:
        flink = json.loads(json_file.read_text(encoding="utf-8"))["environment"]["flink"]
    except (ValueError, KeyError, TypeError):  # no result of a bench
        return
    if flink:
        raise typer.BadParameter(
            f"{json_file} has figures of Flink {flink}, and this run measures none: name a Python that has "
            "apache-flink by --flink, or write another file",
            param_hint="--json",
        )
