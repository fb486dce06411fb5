"""Filters on results of Python functions: the rows and errors of stock Spark, in whatever order they run."""

from __future__ import annotations

import datetime
import decimal
import math
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType, IntegerType, StringType, TimestampType
from python_functions import draw_query, table

import streamon

SEED = int(os.environ.get("STREAMON_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
ADAPTIVE = "AdaptivePythonFilter"
PREFIX = "spark.streamon.filter."


Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def settings(spark: SparkSession) -> Iterator[Change]:
    """Sets confs for one test."""
    changed: list[str] = []

    def change(values: dict[str, Any]) -> None:
        for key, value in values.items():
            spark.conf.set(key, str(value))
            changed.append(key)

    yield change
    for key in changed:
        spark.conf.unset(key)


def explained(frame: DataFrame, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    frame.explain()
    return capsys.readouterr().out


def outcome(frame: DataFrame) -> Any:
    """Sorted rows, or what is raised: its class, and what the user's function said."""
    try:
        return sorted(frame.collect(), key=repr)
    except PySparkException as error:
        said = [line for line in str(error).splitlines() if "boom" in line]
        return type(error).__name__, error.getCondition(), said[-1:]


def is_adapted(frame: DataFrame) -> bool:
    return ADAPTIVE in str(frame._jdf.queryExecution().executedPlan())


def with_and_without(
    session: SparkSession, query: Callable[[], DataFrame], adapts: bool = True
) -> tuple[Any, Any]:
    """The outcomes of a query; its plan must have the operator, or must not."""
    frame = query()
    assert is_adapted(frame) == adapts
    adapted = outcome(frame)
    session.conf.set("spark.streamon.enabled", "false")
    try:
        return adapted, outcome(query())
    finally:
        session.conf.unset("spark.streamon.enabled")


@F.udf(BooleanType(), useArrow=True)
def dear(n: int | None) -> bool:
    return sum(i * (n or 0) for i in range(50)) % 2 == 0


@F.udf(IntegerType(), useArrow=True)
def rest(n: int | None) -> int | None:
    return None if n is None else n % 10


@F.udf(BooleanType(), useArrow=True)
def few(n: int | None) -> bool:
    return n is not None and n % 97 == 3


def two(frame: DataFrame) -> DataFrame:
    return frame.filter(dear("id") & few("id")).select("id")


def test_one_node_in_the_place_of_the_filter(
    anywhere: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    for function in (dear, rest, few):
        anywhere.udf.register(function.__name__, function)
    frame = anywhere.sql("SELECT id FROM range(1000) WHERE dear(id) AND rest(id) > 2 AND few(id)")
    text = explained(frame, capsys)
    assert f"{ADAPTIVE} [a-greedy]" in text
    assert "dear(id), (rest(id) > 2), few(id)" in text
    assert "ArrowEvalPython" not in text
    expected = [n for n in range(1000) if n % 97 == 3 and n % 10 > 2 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in frame.collect()) == expected


def test_generated_filters(spark: SparkSession, settings: Change) -> None:
    print(f"replay with STREAMON_SEED={SEED}")
    draw = random.Random(SEED)  # noqa: S311
    source = table(spark, 3000, 2)
    adapted = 0
    for trial in range(24):
        batch = draw.choice([1, 100, 1000, 10_000]) if trial % 3 == 0 else 10_000
        settings(
            {
                "spark.sql.execution.arrow.maxRecordsPerBatch": batch,
                f"{PREFIX}algorithm": draw.choice(["a-greedy", "sweep", "local-swaps"]),
                f"{PREFIX}profilingProbability": draw.choice([0, 0.1, 1]),
            }
        )
        query = draw_query(draw, source.limit(300) if batch == 1 else source)
        adapts = is_adapted(query.frame)
        with_it, without = with_and_without(spark, lambda q=query: q.frame.select("*"), adapts)
        assert with_it == without, f"trial {trial} of seed {SEED}: {query.words}"
        adapted += adapts
    assert adapted >= 12


@pytest.mark.parametrize("order", ["0,1,2", "2,1,0", "1,2,0"])
def test_every_forced_order(spark: SparkSession, settings: Change, order: str) -> None:
    settings({f"{PREFIX}forcedOrder": order})
    adapted, stock = with_and_without(
        spark, lambda: spark.range(2000).filter(dear("id") & (rest("id") > 2) & few("id"))
    )
    assert adapted == stock


def boom(kind: str) -> Callable[[str], Column]:
    """A function that raises on 13."""

    def fail(n: int) -> bool:
        if n == 13:
            raise ValueError(f"boom of {kind}")
        return True

    if kind == "row":
        return F.udf(fail, "boolean")  # type: ignore[no-any-return]
    if kind == "pandas":
        return F.pandas_udf(lambda s: s.map(fail), "boolean", 200)  # type: ignore[no-any-return, call-overload]
    return F.arrow_udf(  # type: ignore[no-any-return, attr-defined]
        lambda a: pa.array([fail(n) for n in a.to_pylist()], pa.bool_()), "boolean", 250
    )


@pytest.mark.parametrize("kind", ["row", "pandas", "arrow"])
@pytest.mark.parametrize("order", ["0,1", "1,0"])
def test_what_raises_raises_as_in_stock_spark(
    spark: SparkSession, settings: Change, kind: str, order: str
) -> None:
    settings({f"{PREFIX}forcedOrder": order})
    raises = boom(kind)
    adapted, stock = with_and_without(
        spark, lambda: spark.range(1000).filter(raises("id") & (rest("id") < 4))
    )
    assert adapted == stock
    assert "boom" in str(stock)


def test_an_error_may_vanish_on_a_row_that_is_rejected(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}forcedOrder": "1,0"})
    frame = spark.range(1000).filter(boom("row")("id") & (rest("id") > 3))
    assert is_adapted(frame)
    assert frame.count() == 600


def test_a_condition_of_the_jvm_guards_a_function(spark: SparkSession) -> None:
    raises = boom("row")
    adapted, stock = with_and_without(
        spark, lambda: spark.range(1000).filter((F.col("id") > 20) & raises("id") & (rest("id") > 3))
    )
    assert adapted == stock
    assert len(adapted) > 100


def test_strict_errors_leave_the_filter_to_spark(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}errors": "strict"})
    assert [r.code for r in streamon.refusals(two(spark.range(10)))] == ["STRICT_FUNCTIONS"]


@F.pandas_udf(BooleanType(), 204)  # type: ignore[call-overload]
def iterates(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for batch in batches:
        yield batch % 2 == 0


@F.udf(BooleanType(), useArrow=False)
def known(moment: Any) -> bool:
    return moment is not None


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        (lambda: dear("id") & (F.col("id") > 3), "FEWER_THAN_TWO_CONJUNCTS"),
        (lambda: iterates("id") & (rest("id") > 3), "FUNCTION_KIND"),
        (
            lambda: known(F.timestamp_seconds("id")) & known(F.timestamp_seconds(-F.col("id"))),
            "PICKLED_TYPES",
        ),
        (lambda: dear(rest("id") + rest(-F.col("id"))) & few("id"), "FUNCTION_OF_FUNCTION"),
    ],
)
def test_each_refusal_has_its_reason(spark: SparkSession, condition: Callable[[], Column], code: str) -> None:
    frame = spark.range(1000).filter(condition())
    assert code in [refusal.code for refusal in streamon.refusals(frame)]
    adapted, stock = with_and_without(spark, lambda: spark.range(1000).filter(condition()), adapts=False)
    assert adapted == stock


def test_a_function_that_is_not_deterministic_stays(spark: SparkSession) -> None:
    drawn = F.udf(lambda n: n % 2 == 0, BooleanType(), useArrow=True).asNondeterministic()
    codes = [refusal.code for refusal in streamon.refusals(spark.range(10).filter(drawn("id") & few("id")))]
    assert "FUNCTION_NOT_DETERMINISTIC" in codes


def test_results_that_are_read_above_come_back(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    def query() -> DataFrame:
        # The last condition reads two results, which only the JVM can.
        return spark.range(500).filter(dear("id") & (rest("id") > 2) & (rest("id") < F.col("id") % 7))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


def test_a_selected_result_is_not_computed_again(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    def query() -> DataFrame:
        passing = spark.range(500).filter(dear("id") & (rest("id") > 2))
        return passing.select("id", rest("id").alias("rest"), (few("id")).alias("few"), rest("id") + 1)

    text = explained(query(), capsys)
    assert ADAPTIVE in text
    assert "ArrowEvalPython [few(id" in text
    assert "rest(id#" not in text
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert adapted


@pytest.mark.parametrize(
    ("returns", "results"),
    [
        ("boolean", [True, False, None, 1, 0.5, "true", [1], {"a": 1}, datetime.date(2024, 1, 1)]),
        ("int", [5, None, True, 2.5, "7", 2**31, -(2**40) - 1, 2**63, -(2**70), decimal.Decimal(3)]),
        ("tinyint", [5, 300, -129, None]),
        ("bigint", [2**62, 2**63, None, 1.0]),
        ("double", [1.5, math.nan, math.inf, None, 3, True, "1.5"]),
        ("float", [1.1, 1e300, None, 2]),
        ("date", [datetime.date(2024, 2, 29), datetime.datetime(1969, 12, 31, 23, 0), None]),
    ],
)
def test_results_without_arrow_are_those_of_spark(
    spark: SparkSession, returns: str, results: list[Any]
) -> None:
    drawn = F.udf(lambda n: results[n % len(results)], returns, useArrow=False)
    small = F.udf(lambda n: n < 90, "boolean", useArrow=False)

    def query() -> DataFrame:
        passing = spark.range(100).filter(small("id") & (drawn("id").isNull() | drawn("id").isNotNull()))
        return passing.select("id", drawn("id").alias("drawn"))

    adapted, stock = with_and_without(spark, query)
    assert repr(adapted) == repr(stock)
    assert len(adapted) == 90


def test_what_the_jvm_cannot_read_raises(spark: SparkSession) -> None:
    cannot = F.udf(lambda _: np.bool_(True), BooleanType(), useArrow=False)
    frame = spark.range(10).filter(cannot("id") & few("id"))
    assert is_adapted(frame)
    with pytest.raises(PySparkException, match=r"returned numpy.*make it a bool"):
        frame.select("*").collect()
    spark.conf.set("spark.streamon.enabled", "false")
    try:
        stock = frame.select("*")
        with pytest.raises(Exception, match=r"PickleException|pickle"):
            stock.collect()
    finally:
        spark.conf.unset("spark.streamon.enabled")


def test_a_vectorised_function_sees_the_types_of_the_whole_batch(
    spark: SparkSession, settings: Change
) -> None:
    """Whole numbers are floating-point ones to pandas where a row of the batch is NULL."""
    settings({f"{PREFIX}forcedOrder": "0,1"})
    known = F.pandas_udf(lambda s: s.notna(), BooleanType(), 200)  # type: ignore[call-overload]
    is_float = F.pandas_udf(  # type: ignore[call-overload]
        lambda s: pd.Series([s.dtype.kind == "f"] * len(s)), BooleanType(), 200
    )

    def query() -> DataFrame:
        numbers = spark.range(0, 100, 1, 1).selectExpr("id", "CASE WHEN id % 7 <> 0 THEN id END AS n")
        return numbers.filter(known("n") & is_float("n")).select("id")

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 85


def test_a_chain_of_functions(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    def query() -> DataFrame:
        return spark.range(500).filter(dear(rest("id")) & few("id"))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock


def test_arguments_by_name(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    @F.udf("boolean")
    def between(n: int, low: int, high: int) -> bool:
        return low < n < high

    def query() -> DataFrame:
        return spark.range(100).filter(between("id", high=F.lit(60), low=F.lit(30)) & (rest(n="id") > 4))

    assert ADAPTIVE in explained(query(), capsys)
    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 15


def test_rows_keep_their_order(spark: SparkSession) -> None:
    frame = spark.range(0, 20_000, 1, 1).filter(dear("id") & (rest("id") > 2))
    assert is_adapted(frame)
    found = [row.id for row in frame.collect()]
    assert found == sorted(found)


def test_it_learns_and_tells(spark: SparkSession, settings: Change) -> None:
    settings(
        {
            f"{PREFIX}profilingProbability": 0.2,
            f"{PREFIX}profilingBudget": 1,
            f"{PREFIX}window": 100,
            "spark.streamon.learning.enabled": "false",
        }
    )
    frame = two(spark.range(0, 200_000, 1, 1))
    frame.collect()
    decisions = [d for d in spark.sql("SELECT * FROM streamon_decisions()").collect() if "few(id)" in str(d)]
    assert all(d.operator.startswith(ADAPTIVE) for d in decisions)
    assert decisions
    (stats,) = [
        s
        for s in spark.sql("SELECT * FROM streamon_stats()").where("conjunct = 'dear(id)'").collect()
        if s.evaluations < 100_000
    ][-1:]
    assert stats.evaluations > 0


def test_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "in"
    spark.range(0, 5000, 1, 4).write.parquet(str(source))
    stream = spark.readStream.schema("id long").option("maxFilesPerTrigger", 1).parquet(str(source))
    query = (
        two(stream)
        .writeStream.format("memory")
        .queryName("passing")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    expected = [n for n in range(5000) if n % 97 == 3 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in spark.table("passing").collect()) == expected
    assert ADAPTIVE in query._jsq.streamingQuery().lastExecution().executedPlan().toString()


def test_directly_above_a_scan_of_parquet(spark: SparkSession, tmp_path: Path) -> None:
    """On Spark 4.2.0 a `@udf` there hangs (SPARK-58241)."""
    path = str(tmp_path / "numbers")
    spark.range(0, 50_000, 1, 2).write.parquet(path)
    frame = two(spark.read.parquet(path))
    assert is_adapted(frame)
    assert frame.count() == sum(n % 97 == 3 and (49 * 25 * n) % 2 == 0 for n in range(50_000))


def test_a_cached_frame_and_a_broadcast_variable(spark: SparkSession) -> None:
    wanted = spark.sparkContext.broadcast({3, 33, 333})
    seen = spark.sparkContext.accumulator(0)

    @F.udf("boolean")
    def is_wanted(n: int) -> bool:
        seen.add(1)
        return n in wanted.value

    frame = spark.range(0, 1000, 1, 1).filter((rest("id") == 3) & is_wanted("id")).cache()
    try:
        assert is_adapted(frame)
        assert frame.collect() == [Row(id=3), Row(id=33), Row(id=333)]
        # Of the rows that the other function leaves, and of those that are profiled.
        assert 100 <= seen.value < 500
    finally:
        frame.unpersist()


@pytest.mark.parametrize(
    "setting", ["maxRecordsPerOutputBatch", "maxBytesPerOutputBatch", "maxBytesPerBatch"]
)
def test_batches_of_any_size(spark: SparkSession, settings: Change, setting: str) -> None:
    settings({f"spark.sql.execution.arrow.{setting}": 700})
    # Spark 4.2.0 fails where its own answers are cut.
    frame = spark.range(3000).filter(dear("id") & (rest("id") > 2))
    assert is_adapted(frame)
    expected = [n for n in range(3000) if n % 10 > 2 and (49 * 25 * n) % 2 == 0]
    assert sorted(row.id for row in frame.collect()) == expected


def levels(frame: DataFrame) -> DataFrame:
    """Spark calls the second function, of another kind, for rows that pass the first."""

    def fail_on_13(numbers: pd.Series) -> pd.Series:
        if (numbers == 13).any():
            raise ValueError("boom")
        return numbers % 2 == 0

    fails = F.pandas_udf(fail_on_13, BooleanType())  # type: ignore[call-overload]
    return frame.filter((rest("id") != 3) & fails("id"))


@pytest.mark.parametrize("order", ["0,1", "1,0", None])
def test_a_function_of_another_kind_is_guarded(
    spark: SparkSession, settings: Change, order: str | None
) -> None:
    learn = {f"{PREFIX}profilingProbability": 1, f"{PREFIX}profilingBudget": 1}
    settings({f"{PREFIX}forcedOrder": order} if order else learn)
    adapted, stock = with_and_without(spark, lambda: levels(spark.range(5000)))
    assert adapted == stock
    assert len(adapted) == 2500


def test_a_function_that_raised_out_of_turn_goes_back(spark: SparkSession, settings: Change) -> None:
    """Or every batch would be evaluated twice."""
    settings(
        {
            f"{PREFIX}profilingProbability": 1,
            f"{PREFIX}profilingBudget": 1,
            f"{PREFIX}window": 32,
            "spark.sql.execution.arrow.maxRecordsPerBatch": 100,
            "spark.streamon.learning.enabled": "false",
        }
    )

    def raises_often(numbers: pd.Series) -> pd.Series:
        if (numbers % 400 == 13).any():
            raise ValueError("boom")
        return numbers % 50 == 0

    often = F.pandas_udf(raises_often, BooleanType())  # type: ignore[call-overload]
    frame = spark.range(0, 40_000, 1, 1).filter((rest("id") != 3) & often("id"))
    assert is_adapted(frame)
    assert frame.count() == 800
    stats = spark.sql("SELECT * FROM streamon_stats()").where("conjunct LIKE 'raises_often%'").collect()
    # Twice in few batches of 400.
    assert min(s.evaluations for s in stats) < 45_000


def test_draws_are_those_of_spark(spark: SparkSession) -> None:
    def query() -> DataFrame:
        return spark.range(0, 2000, 1, 1).filter((F.rand(42) < 0.5) & dear("id") & (rest("id") > 2))

    adapted, stock = with_and_without(spark, query, adapts=False)
    assert adapted == stock
    assert "NOT_DETERMINISTIC" in [refusal.code for refusal in streamon.refusals(query())]


def test_hints_reach_the_functions(spark: SparkSession, settings: Change) -> None:
    settings({f"{PREFIX}mode": "hint"})
    frame = spark.range(1000).filter(dear("id") & (F.col("id") > 3) & few("id"))
    assert {r.code for r in streamon.refusals(frame)} == {"NO_HINT"}
    assert is_adapted(frame.hint("adaptive_filter"))
    strict = frame.hint("adaptive_filter", "errors=strict")
    assert "STRICT_FUNCTIONS" in [r.code for r in streamon.refusals(strict)]


def test_an_ordinary_filter_on_results_adapts_as_before(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    text = F.udf(lambda n: f"row-{n}", StringType(), useArrow=True)
    frame = spark.range(1000).filter(text("id").rlike("9$") & text("id").like("%7%"))
    assert "AdaptiveFilter [a-greedy]" in explained(frame, capsys)


def test_equal_filters_are_one_plan(spark: SparkSession) -> None:
    """Spark exchanges such rows once."""

    def adaptive(function: Any, least: int) -> Any:
        return spark.range(100).filter(dear("id") & (function("id") > least)).select("id")

    def plan(frame: DataFrame) -> Any:
        return frame._jdf.queryExecution().executedPlan()

    same, again = plan(adaptive(rest, 2)), plan(adaptive(rest, 2))
    assert same.sameResult(again)
    assert not same.sameResult(plan(adaptive(rest, 3)))


def test_moments_come_back_in_any_zone(spark: SparkSession, settings: Change) -> None:
    settings({"spark.sql.session.timeZone": "America/Los_Angeles"})

    @F.pandas_udf(TimestampType())  # type: ignore[call-overload]
    def later(moment: pd.Series) -> pd.Series:
        return moment + pd.Timedelta(hours=1)

    def query() -> DataFrame:
        source = spark.range(300).selectExpr("id", "timestamp_seconds(1700000000 + id * 3600) AS moment")
        passing = source.filter(later("moment").isNotNull() & (later("moment") > F.col("moment")))
        return passing.filter(_even("id")).select("id", later("moment").alias("later"))

    adapted, stock = with_and_without(spark, query)
    assert adapted == stock
    assert len(adapted) == 150


@F.pandas_udf(BooleanType())  # type: ignore[call-overload]
def _even(numbers: pd.Series) -> pd.Series:
    return numbers % 2 == 0


def test_where_nothing_passes(spark: SparkSession, settings: Change) -> None:
    settings({"spark.sql.execution.arrow.maxRecordsPerBatch": 100})
    frame = spark.range(0, 30_000, 1, 1).filter((rest("id") > 8) & (rest("id") < 1))
    assert frame.filter(few("id")).count() == 0


def test_a_limit_stops_early(spark: SparkSession) -> None:
    assert spark.range(0, 10_000_000, 1, 1).filter(dear("id") & (rest("id") > 2)).limit(5).count() == 5
