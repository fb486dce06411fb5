"""Runs PySpark's doctests in which Python functions occur, without StreaMon and with it.

The frames that they make are also filtered by what their functions give: hardly any doctest filters by that.
The argument names a file of JSON for what is found. `test_pyspark_doctests.py` runs this in its own process.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark.sql
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame
from python_predicates import ADAPTIVE, is_adapted, with_and_without

import streamon

ELSEWHERE = ("pyspark.sql.connect.", "pyspark.sql.streaming.", "pyspark.sql.tests")
"""Modules with doctests for other sessions."""


def doctests() -> Iterator[doctest.DocTest]:
    """Those of all modules of `pyspark.sql` that name a function of Python."""
    for info in pkgutil.walk_packages(pyspark.sql.__path__, "pyspark.sql."):
        if info.name.startswith(ELSEWHERE) or (info.ispkg and info.name == "pyspark.sql.connect"):
            continue
        module = importlib.import_module(info.name)
        for test in doctest.DocTestFinder().find(module):
            if any("udf" in example.source for example in test.examples):
                yield test


class Runner(doctest.DocTestRunner):
    """Keeps what examples print, and which of them print something else than they say."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        self.printed: list[str] = []
        self.wrong: list[str] = []

    def report_start(self, *_: Any) -> None: ...

    def report_success(self, *told: Any) -> None:
        self.printed.append(told[-1])

    def report_failure(self, *told: Any) -> None:
        self._keep_wrong(told[2], told[-1])

    def report_unexpected_exception(self, *told: Any) -> None:
        kind, error, _ = told[-1]
        self._keep_wrong(told[2], f"{kind.__name__}: {error}")

    def _keep_wrong(self, example: doctest.Example, got: str) -> None:
        self.printed.append(got)
        self.wrong.append(f"{example.source}{got}")


class Frames:
    """The frames that a doctest makes by the methods that can call functions."""

    def __init__(self) -> None:
        self.made: list[DataFrame] = []
        self._record(ClassicFrame, "select")
        self._record(ClassicFrame, "withColumn")
        self._record(ClassicFrame, "filter")
        self._record(SparkSession, "sql")

    def _record(self, owner: type, name: str) -> None:
        makes: Callable[..., DataFrame] = getattr(owner, name)

        def recorded(*args: Any, **named: Any) -> DataFrame:
            frame = makes(*args, **named)
            self.made.append(frame)
            return frame

        setattr(owner, name, recorded)


def filtered(spark: SparkSession, frame: DataFrame) -> tuple[int, list[str]]:
    """Filters a frame by each of its columns: how many filters were taken over, and which gave other rows."""
    always = F.udf(lambda _: True, "boolean")
    taken, wrong = 0, []
    for column in frame.columns if "EvalPython" in plan(frame) else []:

        def query(column: str = column) -> DataFrame:
            return frame.filter(frame[f"`{column}`"].isNotNull() & always(F.lit(1)))

        if is_adapted(query()):
            adapted, stock = with_and_without(spark, query)
            taken += 1
            wrong += [] if repr(adapted) == repr(stock) else [f"{column}: {adapted} and not {stock}"]
    return taken, wrong


def plan(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().executedPlan())


def run(spark: SparkSession, test: doctest.DocTest, enabled: bool) -> Runner:
    spark.conf.set("spark.streamon.enabled", str(enabled).lower())
    test.globs = {**test.globs, "spark": spark}
    runner = Runner()
    runner.run(test, out=lambda _: None, clear_globs=False)
    spark.conf.unset("spark.streamon.enabled")
    return runner


def results(spark: SparkSession) -> Iterator[dict[str, Any]]:
    """Of each doctest, without StreaMon and with it."""
    frames = Frames()
    for test in doctests():
        globs = test.globs
        stock = run(spark, test, enabled=False)
        frames.made.clear()
        test.globs = globs
        adaptive = run(spark, test, enabled=True)
        made = list(frames.made)
        own = sum(ADAPTIVE in plan(frame) for frame in made)
        filters = [filtered(spark, frame) for frame in made]
        yield {
            "name": test.name,
            "examples": len(stock.printed),
            "wrong in stock Spark": stock.wrong,
            "wrong": adaptive.wrong,
            "same": stock.printed == adaptive.printed,
            "own filters": own,
            "filters": sum(taken for taken, _ in filters),
            "wrong filters": [text for _, wrong in filters for text in wrong],
        }


def main(result: Path) -> None:
    builder = streamon.configure(SparkSession.builder.master("local[2]"))
    with tempfile.TemporaryDirectory() as folder:
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": folder,
            "spark.streamon.filter.mode": "always",
            "spark.ui.showConsoleProgress": "false",
        }.items():
            builder.config(key, value)
        spark = builder.getOrCreate()
        result.write_text(json.dumps(list(results(spark)), indent=1))
        spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
