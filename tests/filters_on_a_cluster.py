"""Filters of Python functions on executors in processes of their own, of which some die.

`test_python_predicate_clusters.py` runs these in a process of their own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import local_cluster
import pandas as pd
import psutil
import pytest
from failing_functions import DIES, DIES_ONCE, RAISES, generated_trials
from local_cluster import PATIENCE, executor_of, executors, wait_until
from pyspark import TaskContext, cloudpickle
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from python_functions import KINDS, draw_query, made, table
from python_predicates import PREFIX, Change, is_adapted, rest, with_and_without

SEED = int(os.environ.get("STREAMON_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)

SOME_KINDS = ["row", *[pytest.param(kind, marks=pytest.mark.prove) for kind in KINDS if kind != "row"]]

# Workers cannot import it.
cloudpickle.register_pickle_by_value(local_cluster)


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """In the place of the local session that other tests have."""
    with local_cluster.local_cluster(tmp_path_factory.mktemp("cluster")) as session:
        yield session


def traces(folder: Path) -> Callable[[str], Column]:
    """Lets every row pass, and writes down which executor called it, and whether StreaMon's program did."""

    def call(numbers: pd.Series) -> pd.Series:
        import traceback

        program = any("<streamon_worker>" in frame.filename for frame in traceback.extract_stack())
        context = TaskContext.get()
        attempt = context.attemptNumber() if context else 0
        executor = psutil.Process(os.getppid()).ppid()
        Path(folder, f"{executor} {'adaptive' if program else 'stock'} {attempt}").touch()
        return numbers >= 0

    return F.pandas_udf(call, "boolean", 200)  # type: ignore[no-any-return, call-overload]


def traced(folder: Path) -> set[int]:
    """The process ids of the executors on which StreaMon's program called it."""
    return {int(who) for who, what, _ in (f.name.split() for f in folder.iterdir()) if what == "adaptive"}


def attempts(folder: Path) -> set[int]:
    """Of tasks in which StreaMon's program called it."""
    return {int(a) for _, what, a in (f.name.split() for f in folder.iterdir()) if what == "adaptive"}


@pytest.fixture
def traces_in(tmp_path: Path) -> Path:
    folder = tmp_path / "traces"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("queries", [4, pytest.param(60, marks=pytest.mark.prove)])
def test_generated_filters(spark: SparkSession, settings: Change, traces_in: Path, queries: int) -> None:
    print(f"replay with STREAMON_SEED={SEED}")
    draw = random.Random(SEED)  # noqa: S311
    source = table(spark, 3000, 4)
    adapted = trial = 0
    trace = traces(traces_in)
    # A drawn filter may leave the traced function to stock Spark.
    while trial < queries or traced(traces_in) != {e.pid for e in executors()}:
        trial += 1
        assert trial <= queries + 40, f"StreaMon called it on executors {traced(traces_in)} of {executors()}"
        settings(
            {
                "spark.sql.execution.arrow.maxRecordsPerBatch": draw.choice([100, 1000, 10_000]),
                f"{PREFIX}mode": "always",
                f"{PREFIX}algorithm": draw.choice(["a-greedy", "sweep", "local-swaps"]),
                f"{PREFIX}profilingProbability": draw.choice([0, 0.1, 1]),
                f"{PREFIX}profilingBudget": draw.choice([0.02, 1]),
            }
        )
        query = draw_query(draw, source.filter(trace("id")))
        adapts = is_adapted(query.frame)
        with_it, without = with_and_without(spark, lambda q=query: q.frame.select("*"), adapts)
        assert with_it == without, f"trial {trial} of seed {SEED}: {query.words}"
        assert isinstance(with_it, list)
        adapted += adapts
    print(f"{adapted} of {trial} queries adapted, on executors {traced(traces_in)}")
    assert adapted >= queries / 4


def test_an_executor_that_is_killed_in_the_middle_of_a_task(
    spark: SparkSession, settings: Change, tmp_path: Path, traces_in: Path
) -> None:
    """While its worker has answered some batches of the partition, and is at another."""
    settings({"spark.sql.execution.arrow.maxRecordsPerBatch": 100})
    held, released = tmp_path / "held", tmp_path / "released"
    held.mkdir()

    def hold(n: int) -> bool:
        if n % 1000 == 555 and not released.exists():
            (held / str(os.getpid())).touch()
            wait_until(released.exists)
        return n % 4 > 0

    holds, trace = F.udf(hold, "boolean"), traces(traces_in)

    def query() -> DataFrame:
        source = spark.range(0, 4000, 1, 4).withColumn("t", F.expr("concat('n-', id)"))
        return source.filter(F.expr("t RLIKE '[0-7]$'") & trace("id") & holds("id") & (rest("id") > 1))

    def workers() -> list[int]:
        return [int(file.name) for file in held.iterdir()]

    before = executors()
    with ThreadPoolExecutor(1) as thread:
        try:
            comparison = thread.submit(with_and_without, spark, query)
            # All that run are held, so none is tried again before.
            wait_until(lambda: len(workers()) == 2)
            victim = executor_of(workers()[0])
            assert {e.pid for e in before} == {executor_of(w).pid for w in workers()}
            victim.kill()
            psutil.wait_procs([victim], PATIENCE)
        finally:
            released.touch()
        adapted, stock = comparison.result(PATIENCE)
    assert not victim.is_running()
    assert adapted == stock
    assert len(adapted) == 1800
    assert attempts(traces_in) == {0, 1}
    wait_until(lambda: len(executors()) == 2)
    assert len({e.pid for e in [*before, *executors()]}) == 3


def dies(kind: str, where: Callable[[int], bool], folder: Path, once: bool) -> Callable[[str], Column]:
    """Ends its worker where it is said, on its first call for such a row, or on each."""

    def die(n: int) -> bool:
        if where(n):
            first = not any(folder.iterdir())
            (folder / str(os.getpid())).touch()
            if first or not once:
                os._exit(1)
        return True

    return made(kind, die, "boolean")


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_a_worker_that_dies_once(spark: SparkSession, tmp_path: Path, traces_in: Path, kind: str) -> None:
    died = tmp_path / "died"
    died.mkdir()
    once, trace = dies(kind, lambda n: n == 1555, died, once=True), traces(traces_in)
    small = made(kind, lambda n: n % 10 > 2, "boolean")
    adapted, stock = with_and_without(
        spark, lambda: spark.range(0, 4000, 1, 2).filter(trace("id") & once("id") & small("id"))
    )
    assert adapted == stock
    assert len(adapted) == 2800
    # The second attempt looks at the row again, and then stock Spark.
    assert len(list(died.iterdir())) >= 2
    assert attempts(traces_in) == {0, 1}


@pytest.mark.parametrize(
    ("order", "where"),
    [
        pytest.param("3,2,0,1", lambda n: n == 555 or n % 10 == 3, id="first"),
        pytest.param("3,0,2,1", lambda n: n % 10 == 3, id="behind a conjunct"),
        pytest.param("3,1,2,0", lambda n: n == 555, id="behind a function"),
    ],
)
def test_a_task_that_is_tried_again_calls_functions_as_spark_does(
    spark: SparkSession,
    settings: Change,
    tmp_path: Path,
    traces_in: Path,
    order: str,
    where: Callable[[int], bool],
) -> None:
    """Where one always dies of rows that Spark would not call it for, since other conditions come first."""
    settings({f"{PREFIX}forcedOrder": order, f"{PREFIX}mode": "always"})
    died = tmp_path / "died"
    died.mkdir()
    trace = traces(traces_in)
    dropped_by_conjunct, dropped_by_function = "NOT concat('n-', id) RLIKE '^.*-1?555$'", rest("id") != 3
    always = dies("pandas", where, died, once=False)

    def query() -> DataFrame:
        source = spark.range(0, 4000, 1, 2)
        return source.filter(F.expr(dropped_by_conjunct) & dropped_by_function & always("id") & trace("id"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 3598
    assert any(died.iterdir())
    assert attempts(traces_in) == {0, 1}


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_a_function_that_always_kills_its_worker(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    died = tmp_path / "died"
    died.mkdir()
    always = dies(kind, lambda n: n == 1555, died, once=False)
    small = made(kind, lambda n: n % 10 > 2, "boolean")
    adapted, stock = with_and_without(
        spark, lambda: spark.range(0, 4000, 1, 2).filter(always("id") & small("id"))
    )
    assert adapted == stock == ("Py4JJavaError", "org.apache.spark.SparkException", True)


@pytest.mark.parametrize("trials", [3, pytest.param(40, marks=pytest.mark.prove)])
def test_generated_filters_that_fail(
    spark: SparkSession, settings: Change, tmp_path: Path, trials: int
) -> None:
    """Functions raise, end their worker, or do so once, on some rows that other conditions drop or not."""
    ways: list[Any] = [RAISES, DIES, DIES, DIES_ONCE]
    generated_trials(spark, settings, SEED, trials, tmp_path, ways)
