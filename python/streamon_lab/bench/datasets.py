"""A folder of generated data: each data set is made once, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

GENERATION = 1
"""Part of each data set's name; raised when a generator changes what it writes."""


def cached(root: Path, name: str, generate: Callable[[Path], object]) -> Path:
    """The folder `name` under `root`, made by `generate` if it is not there yet.

    `generate` writes into a folder that takes its final name only when it is complete, so that an
    interrupted run leaves nothing that looks like data.
    """
    finished = root.resolve() / f"{name}-v{GENERATION}"
    if not finished.exists():
        partial = finished.with_name(finished.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        generate(partial)
        partial.rename(finished)
    return finished
