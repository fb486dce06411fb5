"""Streams with known answers: an aggregation, which opens a state store, and an MJoin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from streamon.checks.printed import printed
from streamon.errors import NotLoadedError, StreamonError

KEYS = [0, 1, 2, 3, 0, 1]
"""The key of each row of a stream. Two keys occur twice."""

COUNTS = sorted((key, KEYS.count(key)) for key in set(KEYS))
JOINED = sorted(
    (a, b, c)
    for a, x in enumerate(KEYS)
    for b, y in enumerate(KEYS)
    for c, z in enumerate(KEYS)
    if x == y == z
)

JOIN = "SELECT /*+ MJOIN */ a, b, c FROM {a} JOIN {b} USING (k) JOIN {c} USING (k)"


def check_state_store(session: SparkSession) -> str:
    """Count the rows of each key of a stream, with RocksDB as the state store.

    Raises:
        StreamonError: the query failed, its answer is wrong, or it ran on another state store.
    """
    with _streams(session, "a") as (streams, checkpoint):
        query, found = _run(streams["a"].groupBy("k").count(), checkpoint, "complete")
    if found != COUNTS:
        raise StreamonError(f"A count of a stream gave {found} and not {COUNTS}: please report this.")
    operators = query.lastProgress["stateOperators"] if query.lastProgress else []
    if not any(metric.startswith("rocksdb") for one in operators for metric in one["customMetrics"]):
        raise StreamonError("A stream ran on another state store than RocksDB, which the check had set.")
    return "a stream counted its rows with RocksDB"


def check_mjoin(session: SparkSession) -> str:
    """Join three streams of six rows, and see that one MJoin joined them.

    Raises:
        NotLoadedError: Spark's own joins ran.
        StreamonError: the query failed, or its answer is wrong.
    """
    with _streams(session, "a", "b", "c") as (streams, checkpoint):
        query, found = _run(session.sql(JOIN, args=None, **streams), checkpoint, "append")
        plan = printed(query.explain)
    if found != JOINED:
        raise StreamonError(
            f"A join of three streams found {len(found)} rows and not {len(JOINED)}: please report this."
        )
    if "MJoin" not in plan:
        raise NotLoadedError(
            "Three streams were joined without an MJoin: look for spark.streamon settings in "
            f"spark-defaults.conf that turn it off. The plan was:\n{plan}"
        )
    return f"an MJoin of three streams found {len(JOINED)} rows"


@contextmanager
def _streams(session: SparkSession, *names: str) -> Iterator[tuple[dict[str, DataFrame], Path]]:
    """Streams of files in a temporary folder, by name, each with a key `k` and the row's number; a folder."""
    with TemporaryDirectory(prefix="streamon-doctor-") as temporary:
        folder = Path(temporary)
        streams = {}
        for name in names:
            (folder / name).mkdir()
            rows = (json.dumps({"k": key, name: number}) for number, key in enumerate(KEYS))
            (folder / name / "rows.json").write_text("\n".join(rows))
            streams[name] = session.readStream.schema(f"k LONG, {name} LONG").json(str(folder / name))
        yield streams, folder / "checkpoint"


def _run(frame: DataFrame, checkpoint: Path, mode: str) -> tuple[StreamingQuery, list[tuple[int, ...]]]:
    """Run a stream to its end. Returns its query and its sorted rows.

    Raises:
        StreamonError: the query failed.
    """
    name = f"streamon_doctor_{uuid4().hex}"
    writer = frame.writeStream.format("memory").queryName(name).outputMode(mode)
    query = writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
    try:
        query.awaitTermination()
    except PySparkException as error:
        raise StreamonError(f"A small stream failed: {error}") from error
    finally:
        query.stop()
    try:
        return query, sorted(tuple(row) for row in frame.sparkSession.table(name).collect())
    finally:
        frame.sparkSession.catalog.dropTempView(name)
