"""Commands that need the optional extra `lab`: imported when called, so that the others do without."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, requires

import typer

from streamon.errors import ExtraMissingError

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
    wanted = re.compile(rf"(?P<name>[\w.-]+).*;.*extra == ['\"]{EXTRA}['\"]")
    return [found["name"] for found in map(wanted.match, requires("streamon") or []) if found]


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
