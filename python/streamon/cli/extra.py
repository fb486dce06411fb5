"""Commands that need the optional extra `lab`: imported when called, so that the others do without."""

from __future__ import annotations

from importlib import import_module

import typer

from streamon.errors import ExtraMissingError


def run(module: str, context: typer.Context) -> None:
    """Run the typer app of a module with the arguments that the command was given.

    Raises:
        ExtraMissingError: the module needs a package that is not installed.
    """
    try:
        import_module(module).app(args=context.args, prog_name=context.command_path)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("streamon"):
            raise
        raise ExtraMissingError(
            f"`{context.command_path}` needs the package {missing.name}: "
            'install what it uses with `pip install "streamon[lab]"`.'
        ) from None
