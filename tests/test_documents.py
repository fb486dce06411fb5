"""Documents that are made from the code say what the code says."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_configuration_reference_is_current() -> None:
    """`make docs` writes it anew."""
    printed = subprocess.check_output([ROOT / "project" / "conf-reference"], text=True)
    assert (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8") == printed
