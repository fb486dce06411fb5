"""Rule indexes in Rust: the crate `a-tree`, and an inverted index on each rule's most selective condition.

The program is in `benchmarks/rule-indexes` of a checkout, and Cargo builds it.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from streamon_lab.bench.selections.lane import Done
from streamon_lab.bench.selections.rules import COLUMNS, Rule

PROGRAM = Path(__file__).parents[5] / "benchmarks" / "rule-indexes"
A_TREE, INVERTED = "a-tree", "inverted"
NO_RANGE = (1, 0)
"""The bounds of a column that a rule does not compare."""


def available() -> bool:
    """Whether this is a checkout, and Cargo is on the path."""
    return PROGRAM.is_dir() and shutil.which("cargo") is not None


def version() -> str:
    """That of the crate `a-tree`."""
    manifest = (PROGRAM / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^a-tree = "=(.+)"', manifest, re.MULTILINE)
    if found is None:
        raise ValueError(f"{PROGRAM / 'Cargo.toml'} asks for no version of a-tree")
    return found[1]


@functools.cache
def program() -> Path | None:
    """The program, built if it is not yet; None where it cannot be built."""
    if not available():
        return None
    built = subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=PROGRAM, check=False)
    return PROGRAM / "target" / "release" / PROGRAM.name if built.returncode == 0 else None


def write(folder: Path, rows: npt.NDArray[np.int32], rules: list[Rule]) -> tuple[Path, Path]:
    """Writes rows, and the bounds of rules, as the program reads them."""
    files = folder / "rows", folder / "rules"
    rows.astype("<i4").tofile(files[0])
    bounds = [[rule.ranges.get(c, NO_RANGE) for c in COLUMNS] for rule in rules]
    np.array(bounds, dtype="<i4").tofile(files[1])
    return files


def run(index: str, files: tuple[Path, Path], cores: int) -> Callable[[], Done]:
    """What looks up the rows in an index, `A_TREE` or `INVERTED`."""
    command = [str(program()), index, *map(str, files), str(len(COLUMNS)), str(cores)]

    def done() -> Done:
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return Done(found["seconds"], found["cpu_seconds"], ((found["count"], found["ids"]),))

    return done
