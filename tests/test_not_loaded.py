"""The Python package in a session without its jar: every call says so, and the query itself runs."""

from __future__ import annotations

import sys
from pathlib import Path

from programs import run_program

PROGRAM = """
spark = builder.getOrCreate()
frame = spark.sql("SELECT /*+ ADAPTIVE_FILTER */ id FROM range(10) WHERE id > 3 AND id < 6")
print("rows", frame.count())
calls = {
    "why_not": lambda: streamon.why_not(frame),
    "explain": lambda: streamon.explain(frame),
    "decisions": lambda: streamon.decisions(spark),
    "stats": lambda: streamon.stats(spark),
    "routes": lambda: streamon.routes(spark),
    "caches": lambda: streamon.caches(spark),
    "configure": lambda: streamon.configure(SparkSession.builder),
}
for name, call in calls.items():
    try:
        call()
    except streamon.StreamonError as error:
        print(name, type(error).__name__, error)
spark.stop()
"""


def test_every_call_names_the_fix(tmp_path: Path) -> None:
    done = run_program(PROGRAM, scripts=Path(sys.executable).parent, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows, *said = done.stdout.splitlines()
    assert rows == "rows 2"
    assert len(said) == 7
    for line in said[:6]:
        assert "NotLoadedError This session runs without StreaMon: build it with streamon.configure" in line
    assert said[6].startswith("configure NotLoadedError A session without StreaMon runs in this process")
