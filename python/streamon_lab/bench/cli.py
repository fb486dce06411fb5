"""`streamon-lab bench`: measures StreaMon against stock Spark. All commands share most options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from streamon_lab.bench.caching.bench import CACHING
from streamon_lab.bench.constraints.bench import CONSTRAINTS
from streamon_lab.bench.filters.command import run_filters
from streamon_lab.bench.joins.bench import JOINS
from streamon_lab.bench.options import Asked, Cores, Data, JsonFile, Only, Quick, Rounds
from streamon_lab.bench.python.command import run_python
from streamon_lab.bench.routes.command import run_routes
from streamon_lab.bench.selections.command import run_selections

DATA = Path("build/bench-data")

app = typer.Typer(help="Measure StreaMon against stock Spark.", no_args_is_help=True, add_completion=False)


@app.command()
def filters(
    json_file: JsonFile = None,
    quick: Quick = False,
    data: Data = DATA,
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
    stock: Annotated[
        bool, typer.Option("--stock", help="Measure only stock Spark, to see the possible gain.")
    ] = False,
) -> None:
    """Adaptive filters against fixed orders: time, filters evaluated, regret."""
    run_filters(Asked(json_file, quick, data, rounds, only, cores), adaptive=not stock)


@app.command()
def joins(
    json_file: JsonFile = None,
    quick: Quick = False,
    data: Data = DATA,
    rounds: Rounds = None,
    only: Only = None,
    cores: Cores = 2,
    flink: Annotated[
        Path | None, typer.Option(help="Measure Flink too, with this Python, which needs `apache-flink`.")
    ] = None,
) -> None:
    """Joins of many streams: one MJoin against Spark's chain of joins, and against the batch join."""
    JOINS.run(Asked(json_file, quick, data, rounds, only, cores), flink)


def _command(name: str, about: str, run: Callable[[Asked], None]) -> None:
    """Register a command that has the shared options alone."""

    @app.command(name, help=about)
    def command(
        json_file: JsonFile = None,
        quick: Quick = False,
        data: Data = DATA,
        rounds: Rounds = None,
        only: Only = None,
        cores: Cores = 2,
    ) -> None:
        run(Asked(json_file, quick, data, rounds, only, cores))


_command(
    "caching",
    "Caches of subresults: MJoins with and without caches, trees of two-way joins, and Spark's chain.",
    CACHING.run,
)
_command(
    "constraints",
    "k-constraints: MJoins that evict rows against MJoins that keep all rows, and Spark's chain of joins.",
    CONSTRAINTS.run,
)
_command(
    "routes",
    "Query Mesh, an order for every kind of row: against A-Greedy, the best fixed order, and an oracle.",
    run_routes,
)
_command(
    "python",
    "Filters on Python functions: one adaptive worker against stock Spark and hand-written alternatives.",
    run_python,
)
_command(
    "selections",
    "Many rules over the same rows: streamon.match against the ways that people write them in Spark.",
    run_selections,
)
