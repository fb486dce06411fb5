"""Commands that need the optional extra `lab`: imported when called, so that the others do without."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution

import typer

from streamon.errors import ExtraMissingError
from streamon.needs import requirements_of

EXTRA = "lab"


def run(module: str, context: typer.Context) -> None:
    """Run the typer app of a module with the arguments that the command was given.

    Raises:
        ExtraMissingError: a package of the extra is not installed.
    """
    missing = [name for name in packages_of_extra() if not _is_installed(name)]
    if missing:
        raise ExtraMissingError(
            f"`{context.command_path}` needs {', '.join(missing)}: "
            f'install what it uses with `pip install "streamon[{EXTRA}]"`.'
        )
    import_module(module).app(args=context.args, prog_name=context.command_path)


def packages_of_extra() -> list[str]:
    """The names of the packages that the extra adds, as this package's own metadata has them."""
    return [re.split(r"[^\w.-]", requirement)[0] for requirement in requirements_of(EXTRA)]


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
