"""Commands of the distribution `streamon-lab`, which `streamon` runs when it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from streamon.errors import ExtraMissingError
from streamon.jar import version

COMMANDS = {
    "bench": "Measure filters, joins, caches and constraints against stock Spark.",
    "demo": "Stream a year of real flights through an adaptive filter and an MJoin.",
    "lab": "Run the experiments of the papers, without Spark.",
}
"""What each command does, by its name."""


def run(arguments: Sequence[str]) -> None:
    """Run a command of `streamon-lab`; the first argument is its name.

    Without `streamon-lab`, `--help` prints what the command does and where it is.

    Raises:
        ExtraMissingError: `streamon-lab` is not installed.
    """
    command = arguments[0]
    try:
        lab = import_module("streamon_lab.cli")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "streamon_lab":
            raise
        if not {"--help", "-h"} & set(arguments):
            raise ExtraMissingError(_missing(command)) from None
        print(f"{COMMANDS[command]}\n\n{_missing(command)}")
    else:
        lab.main(arguments, "streamon")


def _missing(command: str) -> str:
    return (
        f"`streamon {command}` is part of streamon-lab, which is not installed: install the wheel "
        f"streamon_lab-{version()}-py3-none-any.whl. `make wheels` builds it in a checkout of StreaMon."
    )
