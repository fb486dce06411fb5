"""Executes notebooks. As a program it writes the outputs into them: python tests/notebooks.py NOTEBOOK..."""

from __future__ import annotations

import sys
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

LIMIT = 300
"""Seconds that a cell may take."""


def executed(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """The notebook with the outputs of a run in a folder. What Spark writes to stderr is left out.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    fresh = deepcopy(notebook)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(fresh, timeout=LIMIT, kernel_name="python3", resources=resources).execute()
    for cell in fresh.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return fresh


def kinds(cell: NotebookNode) -> list[str]:
    """What outputs a cell has: `stream`, or what an object is shown as."""
    return [
        ", ".join(sorted(output["data"])) if "data" in output else str(output.output_type)
        for output in cell.get("outputs", [])
    ]


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        with TemporaryDirectory() as scratch:
            nbformat.write(executed(nbformat.read(path, as_version=4), Path(scratch)), path)
