"""PySpark's own doctests of Python functions print with StreaMon what they print without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "pyspark_doctests.py"

FAILS_IN_STOCK_SPARK: dict[str, str] = {}
"""By the name of a doctest, why it fails here without StreaMon too."""


@pytest.mark.prove
def test_doctests_of_python_functions(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    settings = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, str(PROGRAM), str(result)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    tests = json.loads(result.read_text())
    counts = {key: sum(t[key] for t in tests) for key in ("examples", "own filters", "filters")}
    print(len(tests), "doctests:", counts)
    assert {t["name"]: t["wrong in stock Spark"] for t in tests if t["wrong in stock Spark"]}.keys() == (
        FAILS_IN_STOCK_SPARK.keys()
    )
    for test in tests:
        assert test["wrong"] == test["wrong in stock Spark"], test["name"]
        assert test["same"], test["name"]
        assert test["wrong filters"] == [], test["name"]
    assert len(tests) >= 10
    assert counts["filters"] >= 15
