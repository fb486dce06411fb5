"""Filters of Python functions on clusters: tasks are tried again there, and learn apart from each other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from local_cluster import pytest_in_a_process
from programs import run_program
from standalone_cluster import WORKERS, standalone_cluster

TESTS = Path(__file__).parent / "filters_on_a_cluster.py"
SCRIPTS = Path(sys.executable).parent


@pytest.mark.parametrize("marked", ["not prove", pytest.param("prove", marks=pytest.mark.prove)])
def test_on_executors_in_processes_of_their_own(tmp_path: Path, marked: str) -> None:
    done = pytest_in_a_process(TESTS, tmp_path, "-m", marked)
    print(done.stdout)
    assert done.returncode == 0, done.stderr


SPECULATION = """
import os
import time
from pathlib import Path

from pyspark import TaskContext
from pyspark.sql import functions as F

spark = streamon.configure(builder).getOrCreate()
folder = os.getcwd()


def until(file):
    for _ in range(3000):
        if os.path.exists(file):
            return
        time.sleep(0.02)
    raise TimeoutError


@F.udf("boolean")
def waits(n):
    # The first attempt of one task goes on when the second has come as far.
    task = TaskContext.get()
    second = os.path.join(folder, "second")
    if n == 555:
        if task.attemptNumber() > 0:
            Path(second).touch()
        elif not os.path.exists(os.path.join(folder, "stock")):
            until(second)
    return n % 3 > 0


few = F.udf(lambda n: n % 5 > 0, "boolean")


def rows():
    source = spark.range(0, 4000, 1, 4).withColumn("t", F.expr("concat('n-', id)"))
    frame = source.filter(F.expr("t RLIKE '[0-7]$'") & waits("id") & few("id")).select("id")
    return str(frame._jdf.queryExecution().executedPlan()), sorted(row.id for row in frame.collect())


plan, adapted = rows()
Path(folder, "stock").touch()
spark.conf.set("spark.streamon.enabled", "false")
print("adaptive", plan.count("AdaptivePythonFilter"), "same", rows()[1] == adapted, "rows", len(adapted))
print("second attempt", os.path.exists("second"))
spark.stop()
"""
"""A filter of which one task waits until its speculative copy runs. Spark starts none on the same host."""


@pytest.mark.prove
def test_a_speculative_copy_of_a_task(tmp_path: Path) -> None:
    confs = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        "spark.cores.max": str(len(WORKERS)),
        "spark.speculation": "true",
        "spark.speculation.quantile": "0.5",
        # A second attempt is a speculative one.
        "spark.task.maxFailures": "1",
    }
    with standalone_cluster(SCRIPTS, tmp_path) as address:
        given = "".join(f'builder = builder.config("{key}", "{value}")\n' for key, value in confs.items())
        source = f'builder = builder.master("{address}")\n' + given + SPECULATION
        done = run_program(source, scripts=SCRIPTS, folder=tmp_path)
    expected = len([n for n in range(4000) if n % 10 < 8 and n % 3 > 0 and n % 5 > 0])
    assert done.stdout == f"adaptive 1 same True rows {expected}\nsecond attempt True\n", done.stderr
