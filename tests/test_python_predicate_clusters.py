"""Filters of Python functions on clusters: tasks are tried again there, and learn apart from each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from local_cluster import pytest_in_a_process

TESTS = Path(__file__).parent / "filters_on_a_cluster.py"


@pytest.mark.parametrize("marked", ["not prove", pytest.param("prove", marks=pytest.mark.prove)])
def test_on_executors_in_processes_of_their_own(tmp_path: Path, marked: str) -> None:
    done = pytest_in_a_process(TESTS, tmp_path, "-m", marked)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
