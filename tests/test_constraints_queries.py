"""`streamon.constraints` of running queries, classic and over Connect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from session_settings import settings_of

import streamon
from streamon import jvm
from streamon.errors import NoConstraintsError

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
SETTINGS = {"spark.sql.streaming.stateStore.providerClass": ROCKSDB, "spark.sql.shuffle.partitions": "2"}
HINTS = "MJOIN(c, b), UNIQUE(b, pid), K_CONSTRAINT('RIDS', c, b, 4)"
QUERY = "SELECT /*+ {} */ c.pid FROM c JOIN b ON c.pid = b.pid"


@pytest.fixture
def session(anywhere: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """The session, with the streams `c`, of 4,000 keys, and `b`, in which one in ten of them comes, once."""
    for name, step in (("c", 1), ("b", 10)):
        path = str(tmp_path / name)
        rows = anywhere.range(0, 4_000, step).selectExpr("id AS pid", "timestamp_millis(id * 10) AS t")
        # A file after the other, such that each micro-batch has the same keys of both.
        for part in range(4):
            rows.where(f"pid DIV 1000 = {part}").coalesce(1).write.mode("append").parquet(path)
        stream = anywhere.readStream.schema("pid LONG, t TIMESTAMP").option("maxFilesPerTrigger", 1)
        stream.parquet(path).withWatermark("t", "0 seconds").createOrReplaceTempView(name)
    with settings_of(anywhere, SETTINGS):
        yield anywhere
    for name in ("c", "b"):
        anywhere.catalog.dropTempView(name)


@contextmanager
def running(session: SparkSession, hints: str, folder: Path) -> Iterator[StreamingQuery]:
    """The query when it has taken all that there is."""
    writer = session.sql(QUERY.format(hints)).writeStream.format("noop")
    query = writer.option("checkpointLocation", str(folder / "checkpoint")).start()
    try:
        query.processAllAvailable()
        yield query
    finally:
        query.stop()


def test_observed(session: SparkSession, tmp_path: Path) -> None:
    with running(session, HINTS.replace("MJOIN(c, b)", "MJOIN(c, b, 'constraints=observe')"), tmp_path) as q:
        found = streamon.constraints(q)
    kinds = {(c.kind, c.input, c.referring_input) for c in found.constraints if c.declared}
    assert kinds == {("UNIQUE", "b", None), ("RIDS", "b", "c")}
    assert {e.mode for e in found.inputs} == {"observe"}
    assert [e.input for e in found.inputs] == [0, 1]
    assert sum(e.rows for e in found.inputs) == 4_400
    assert found.inputs[0].dead_rows > 3_000
    assert found.history
    assert any("exact would shrink memory" in sentence for sentence in found.suggestions)
    assert "UNIQUE" in str(found)
    assert [row.hint for row in found.df().collect()] == [c.hint for c in found.constraints]


def test_every_way_to_ask_means_the_same_query(session: SparkSession, tmp_path: Path) -> None:
    hints = HINTS.replace("MJOIN(c, b)", "MJOIN(c, b, 'constraints=observe')")
    with running(session, hints, tmp_path) as query:
        of_query = streamon.constraints(query)
        of_frame = streamon.constraints(session.sql(QUERY.format(hints)))
        of_session = streamon.constraints(session)
    assert {c.query for c in of_query.constraints} == {str(query.id)}
    assert of_frame.constraints == of_query.constraints
    assert set(of_query.constraints) <= set(of_session.constraints)


@pytest.mark.parametrize("mode", ["exact", "approximate", "strict"])
def test_evicted(session: SparkSession, tmp_path: Path, mode: str) -> None:
    with running(session, HINTS.replace("MJOIN(c, b)", f"MJOIN(c, b, 'constraints={mode}')"), tmp_path) as q:
        found = streamon.constraints(q)
    assert sum(e.evicted_rows for e in found.inputs) > 3_000
    assert sum(e.violations for e in found.inputs) == 0
    assert (found.inputs[0].missed is None) == (mode != "approximate")
    assert (sum(e.cold_rows for e in found.inputs) > 0) == (mode != "approximate")


def test_what_nobody_declared_is_to_be_declared(session: SparkSession, tmp_path: Path) -> None:
    # A partition has 200 rows of `b`.
    hints = "MJOIN(c, b, 'constraints=observe', 'constraints.window=100')"
    with running(session, hints, tmp_path) as q:
        found = streamon.constraints(q)
    assert not any(c.declared for c in found.constraints)
    assert "declare UNIQUE(b, pid)" in found.suggestions


def test_off_tells_nothing(session: SparkSession, tmp_path: Path) -> None:
    with (
        running(session, "MJOIN(c, b, 'constraints=off')", tmp_path) as query,
        pytest.raises(NoConstraintsError, match=r"spark\.streamon\.join\.constraints"),
    ):
        streamon.constraints(query)


def test_a_query_without_an_mjoin(session: SparkSession, tmp_path: Path) -> None:
    with running(session, "COALESCE(2)", tmp_path) as query:
        with pytest.raises(NoConstraintsError, match="has no MJoin"):
            streamon.constraints(query)
        if not jvm.is_connect(query):
            with pytest.raises(NoConstraintsError, match="is not known to have an MJoin"):
                streamon.constraints(str(query.id))
