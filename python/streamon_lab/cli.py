"""The commands of `streamon-lab`. `streamon` runs them too, under its own name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

import streamon
from streamon_lab.lab import run_lab

app = typer.Typer(
    name="streamon-lab",
    help="Benches, demo and lab of StreaMon, adaptive query processing for Apache Spark.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(streamon.version())
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Benches, demo and lab of StreaMon, adaptive query processing for Apache Spark."""


@app.command(context_settings=PASSED_ON, add_help_option=False)
def bench(context: typer.Context) -> None:
    """Measure filters, joins, caches and constraints against stock Spark."""
    # Imported when it is called: the benches load half of the scientific Python packages.
    import_module("streamon_lab.bench.cli").app(args=context.args, prog_name=context.command_path)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("build/demo.html"),
    data: Annotated[Path, typer.Option(help="The folder for the data. The data is generated once.")] = Path(
        "build/demo-data"
    ),
) -> None:
    """Stream a year of real flights through a filter and a join, StreaMon off and on, and write a page."""
    if not import_module("streamon_lab.demo.run").run_demo(out, data):
        raise typer.Exit(1)


@app.command()
def lab(
    chapter: Annotated[
        str,
        typer.Argument(
            help="The chapter of the thesis: `filters` (Chapter 4), `joins` or `caching` (Chapter 5), "
            "`constraints` (Chapter 6); `routes`, for the paper on Query Mesh; or `selections`, for the "
            "paper on shared selections."
        ),
    ] = "filters",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer tuples and seeds, same claims.")] = False,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="Write the results to this file. With -, print only the JSON."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Run only these figures, such as 4.11 or 4.19,4.20. May be repeated."),
    ] = None,
) -> None:
    """Run the papers' experiments without Spark, and check their claims. Needs a checkout and `make lab`."""
    raise typer.Exit(run_lab(chapter, quick, json, only or []))


def main(arguments: Sequence[str] | None = None, name: str = "streamon-lab") -> None:
    """Entry point: an error of the package is one sentence on stderr.

    Args:
        arguments: those of the command line; `sys.argv` unless given.
        name: the program's name in its help.
    """
    try:
        app(args=sys.argv[1:] if arguments is None else list(arguments), prog_name=name)
    except streamon.StreamonError as error:
        print(f"{name}: {error}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
