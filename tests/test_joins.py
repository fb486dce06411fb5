"""Joins of many streams by hint: in SQL and on a frame, classic and over Connect; refusals and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from session_settings import settings_of

import streamon

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
NAMES = ("a", "b", "c")
JOINS = "SELECT /*+ MJOIN({}) */ * FROM a JOIN b USING (k) JOIN c USING (k)"


@pytest.fixture
def streams(anywhere: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """The session, with three streams of files as its views `a`, `b` and `c`."""
    for name in NAMES:
        path = str(tmp_path / name)
        anywhere.range(0, 6).selectExpr("id % 4 AS k", f"id AS {name}").write.parquet(path)
        anywhere.readStream.schema(f"k LONG, {name} LONG").parquet(path).createOrReplaceTempView(name)
    with settings_of(anywhere, {PROVIDER: ROCKSDB}):
        yield anywhere
    for name in NAMES:
        anywhere.catalog.dropTempView(name)


def run(frame: DataFrame, folder: Path) -> tuple[int, list[str]]:
    """Run a streaming query over all there is: how many rows it gave, and its stateful operators."""
    query = (
        frame.writeStream.option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .format("parquet")
        .start(str(folder / "sink"))
    )
    query.awaitTermination()
    progress = query.lastProgress
    assert progress is not None
    rows = frame.sparkSession.read.parquet(str(folder / "sink")).count()
    return rows, [operator["operatorName"] for operator in progress["stateOperators"]]


def test_hint_in_sql(streams: SparkSession, tmp_path: Path) -> None:
    assert run(streams.sql(JOINS.format("a, b, c")), tmp_path) == (2 * 8 + 2, ["mjoin"])


def test_hint_on_a_frame(streams: SparkSession, tmp_path: Path) -> None:
    joined = streams.table("a").join(streams.table("b"), "k").join(streams.table("c"), "k")
    assert run(joined.hint("mjoin", "a", "b", "c"), tmp_path) == (2 * 8 + 2, ["mjoin"])


def test_a_name_that_is_no_input(streams: SparkSession) -> None:
    with pytest.raises(AnalysisException, match=r"STREAMON_HINT_UNKNOWN_INPUT.*`d`.*`a`, `b`, `c`"):
        _ = streams.sql(JOINS.format("a, d")).schema


def test_why_not(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load()
    joined = rate.alias("x").join(rate.alias("y"), "value", "left_semi").hint("mjoin")
    assert "NOT_INNER" in [refusal.code for refusal in streamon.why_not(joined)]


@pytest.fixture
def timed(anywhere: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """The session, with two streams of a row each ten seconds, `x` and `y`."""
    for name in ("x", "y"):
        path = str(tmp_path / name)
        rows = anywhere.range(0, 6).selectExpr(
            f"id AS {name}", "1 AS k", "timestamp_seconds(id * 10 + 100) AS t"
        )
        rows.write.parquet(path)
        stream = anywhere.readStream.schema(f"{name} LONG, k INT, t TIMESTAMP").parquet(path)
        stream.withWatermark("t", "0 seconds").createOrReplaceTempView(name)
    yield anywhere
    for name in ("x", "y"):
        anywhere.catalog.dropTempView(name)


def test_windows(timed: SparkSession, tmp_path: Path) -> None:
    """Of the 36 pairs, 3 + 2 + 1 have a row of y that comes 30 seconds or more after that of x."""
    joined = timed.table("x").join(timed.table("y"), "k").select("x", "y")
    in_sql = "SELECT /*+ STREAM_WINDOW(x, 'RANGE 30 SECONDS') */ x, y FROM x JOIN y USING (k)"
    for name, frame in {
        "frame": joined.hint("stream_window", "x", "RANGE 30 SECONDS"),
        "sql": timed.sql(in_sql),
    }.items():
        (tmp_path / name).mkdir()
        assert run(frame, tmp_path / name)[0] == 30


def test_a_window_of_rows(timed: SparkSession, tmp_path: Path) -> None:
    """Each row of x comes after the rows of y before it, each row of y when two of x are in the window."""
    joined = timed.table("x").join(timed.table("y"), "k").select("x", "y")
    with settings_of(timed, {PROVIDER: ROCKSDB}):
        assert run(joined.hint("stream_window", "x", "ROWS 2"), tmp_path) == (15 + 11, ["mjoin"])


def test_a_window_that_is_none(timed: SparkSession) -> None:
    joined = timed.table("x").join(timed.table("y"), "k")
    with pytest.raises(AnalysisException, match=r"STREAMON_HINT_BAD_WINDOW.*ROWS 0.*from 1 to"):
        _ = joined.hint("stream_window", "x", "ROWS 0").schema
