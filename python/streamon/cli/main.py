"""The commands of `streamon`; each says its own errors in one sentence and exits with 1."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from streamon.cli import extra
from streamon.cli.doctor import run_doctor
from streamon.cli.lab import run_lab
from streamon.errors import StreamonError
from streamon.jar import jar_path, version

app = typer.Typer(
    name="streamon",
    help="Adaptive query processing for Apache Spark.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version())
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Adaptive query processing for Apache Spark."""


@app.command()
def doctor() -> None:
    """Check Java, Spark and the jar, and run a small query with StreaMon in it. Exits with 1 if one fails."""
    if not run_doctor(Console()):
        raise typer.Exit(1)


@app.command()
def jar(
    spark: Annotated[
        str | None,
        typer.Option("--spark", help="The Spark that it is for, such as 4.2; the installed one unless told."),
    ] = None,
) -> None:
    """Print the path of StreaMon's jar: spark-submit --jars $(streamon jar) ..."""
    typer.echo(jar_path(spark))


@app.command()
def lab(
    chapter: Annotated[
        str,
        typer.Argument(
            help="What to reproduce of the thesis: `filters` (Chapter 4), `joins` or `caching` (Chapter 5), "
            "`constraints` (Chapter 6)."
        ),
    ] = "filters",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer tuples and seeds; the same claims.")] = False,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the results to this file as well.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Only these figures, such as 4.11 or 4.19,4.20; may be repeated."),
    ] = None,
) -> None:
    """Run the papers' experiments, without Spark, and check their claims. In a checkout, after `make lab`."""
    raise typer.Exit(run_lab(chapter, quick, json, only or []))


@app.command(context_settings=PASSED_ON, add_help_option=False)
def demo(context: typer.Context) -> None:
    """Stream a year of real flights through an adaptive query. Needs the extra `lab`."""
    extra.run("streamon.demo.cli", context)


@app.command(context_settings=PASSED_ON, add_help_option=False)
def bench(context: typer.Context) -> None:
    """Measure filters, joins, caches and constraints against stock Spark. Needs the extra `lab`."""
    extra.run("streamon.bench.cli", context)


def main() -> None:
    """Entry point: the package's own errors become one sentence on stderr."""
    try:
        app()
    except StreamonError as error:
        Console(stderr=True, soft_wrap=True).print(f"streamon: {error}", markup=False, highlight=False)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
