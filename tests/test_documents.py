"""Documents that are made from the code say what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_configuration_reference_is_current() -> None:
    """`make docs` writes it anew."""
    script = ROOT / "project" / "conf-reference"
    printed = subprocess.check_output([script, Path(sys.executable).parent], text=True)
    assert (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8") == printed
