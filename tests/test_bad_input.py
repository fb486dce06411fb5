"""Bad input is refused or warned of with the allowed values, and the query runs where stock Spark would."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from programs import run_program
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

ALGORITHMS = "Allowed values: a-greedy, sweep, independent, local-swaps, static."


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("algorithm", "fastest", ALGORITHMS),
        ("mode", "sometimes", "Allowed values: auto, always, hint, off."),
        ("errors", "ignore", "Allowed values: withhold, strict."),
        ("initialOrder", "random", "Allowed values: cheapest, written."),
        ("profilingProbability", "1.5", "Allowed values: 0 to 1."),
        ("profilingProbability", "-0.1", "Allowed values: 0 to 1."),
        ("window", "0", "Allowed values: 1 to 100000."),
        ("thrashAvoidance", "2", "Allowed values: above 0, up to 1."),
    ],
)
def test_a_conf_is_refused_when_it_is_set(
    anywhere: SparkSession, name: str, value: str, allowed: str
) -> None:
    key = f"spark.streamon.filter.{name}"
    try:
        with pytest.raises(IllegalArgumentException) as refused:
            anywhere.conf.set(key, value)
    finally:
        anywhere.conf.unset(key)
    said = str(refused.value)
    assert key in said
    assert value in said
    assert allowed in said


HINTS = {
    "ADAPTIVE_FILTER('algorithm=fastest')": f"ADAPTIVE_FILTER is ignored: bad value 'fastest' .*{ALGORITHMS}",
    "ADAPTIVE_FILTER('fastest')": "ADAPTIVE_FILTER is ignored: bad value 'fastest' for option 'algorithm'",
    "ADAPTIVE_FILTER('profilingProbability=1.5')": "bad value '1.5' .*Allowed values: 0 to 1",
    "ADAPTIVE_FILTER('speed=9')": "unknown option 'speed' in 'speed=9'. Allowed options: algorithm, ",
}

PROGRAM = """
spark = streamon.configure(builder).getOrCreate()
for hint in {hints!r}:
    frame = spark.sql(f"SELECT /*+ {{hint}} */ id FROM range(10) WHERE id > 3 AND id < 6")
    print([row.id for row in frame.collect()])
print(spark.sql("SELECT /*+ ADAPTIVE_FILTER */ id FROM range(3)").count())
spark.stop()
"""


def test_a_hint_is_warned_of_and_the_query_runs(tmp_path: Path) -> None:
    """In a process of its own, since warnings go to the log."""
    program = PROGRAM.format(hints=list(HINTS))
    done = run_program(program, scripts=Path(sys.executable).parent, folder=tmp_path)
    assert done.stdout.splitlines() == ["[4, 5]"] * len(HINTS) + ["3"], done.stderr
    for pattern in HINTS.values():
        assert_warned(pattern, done.stderr)
    assert_warned("ADAPTIVE_FILTER has no effect: the block that carries it has no filter", done.stderr)


def assert_warned(pattern: str, log: str) -> None:
    """Some warning of the log matches."""
    warned = [line for line in log.splitlines() if " WARN " in line]
    assert any(re.search(pattern, line) for line in warned), f"no warning {pattern!r} in:\n{log}"
