"""Runs the code blocks of a page, with the tables, streams and names that every page may use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from documents import BadPageError, Block
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import streamon

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"

AT = "timestamp_seconds(1700000000 + id"

TABLES = {
    "logs": (
        20_000,
        [
            f"{AT}) AS ts",
            "IF(id % 10 = 0, 'ERROR', 'INFO') AS level",
            "concat('request ', id, IF(id % 7 = 0, ' timeout after 250 ms', ' served')) AS body",
            "to_json(named_struct('region', elt(id % 3 + 1, 'eu-west', 'us-east', 'ap-south'))) AS context",
        ],
    )
}
"""Tables: the number of rows, and the columns over `id`."""

STREAMS = {
    "customer": (400, ["id AS pid", f"{AT}) AS t", "CAST(id % 20 AS INT) AS cid"]),
    "backbone": (200, ["id * 2 AS pid", f"{AT} * 2 + 1) AS t", "CAST(id % 5 AS INT) AS hop"]),
    "outgoing": (100, ["id * 4 AS pid", f"{AT} * 4 + 3) AS t", "CAST(id % 3 AS INT) AS port"]),
    "r": (200, ["id % 20 AS a", "id AS v", "id % 50 AS x", f"{AT}) AS t"]),
    "s": (
        100,
        ["id % 20 AS a", "id % 10 AS b", "id AS v", "id % 50 AS low", "id % 50 + 5 AS high", f"{AT}) AS t"],
    ),
    "t": (100, ["id % 10 AS b", "id AS v", f"{AT}) AS t"]),
}
"""Streams, with a watermark on `t`: the number of rows, and the columns over `id`."""

JOINED = "joined"
"""The name of the running query, which is also the table with its results."""


def write_data(spark: SparkSession, folder: Path) -> None:
    """Write the rows of every table and stream as Parquet, each into a folder of its name."""
    for name, (rows, columns) in {**TABLES, **STREAMS}.items():
        spark.range(0, rows, 1, 1).selectExpr(*columns).write.parquet(str(folder / name))


@contextmanager
def page_names(spark: SparkSession, data: Path, scratch: Path, *, query: bool) -> Iterator[dict[str, Any]]:
    """The names that a page starts with. Afterwards the session is as it was.

    Args:
        spark: the session of the tests.
        data: the folder that `write_data` has filled.
        scratch: an empty folder of the page's own.
        query: whether the page needs the running query.
    """
    confs = dict(spark.conf.getAll)
    tables = {table.name for table in spark.catalog.listTables()}
    running = {active.id for active in spark.streams.active}
    try:
        spark.conf.set(PROVIDER, ROCKSDB)
        names = {"spark": spark, "streamon": streamon, "F": F, "folder": str(scratch / "page")}
        (scratch / "page").mkdir()
        for name in TABLES:
            spark.read.parquet(str(data / name)).createOrReplaceTempView(name)
        for name in STREAMS:
            names[name] = _stream(spark, data / name)
            names[name].createOrReplaceTempView(name)
        names["joined"] = joined(names)
        if query:
            names["query"] = _start(names["joined"], scratch)
        yield names
    finally:
        if spark.sparkContext._jsc is None:
            raise BadPageError("The page stops the session that all pages share: leave out `spark.stop()`.")
        for active in spark.streams.active:
            if active.id not in running:
                active.stop()
        _drop(spark, tables)
        _restore(spark, confs)


def joined(names: dict[str, Any]) -> DataFrame:
    """Customer `c`, backbone `b` and outgoing `o` joined on `pid`, without a hint."""
    c, b, o = (names[name].alias(alias) for name, alias in zip(list(STREAMS)[:3], "cbo", strict=True))
    both = c.join(b, F.expr("c.pid = b.pid")).join(o, F.expr("b.pid = o.pid"))
    return both.select("c.pid", "c.t", "c.cid", "b.hop", "o.port")


def run_blocks(page: Sequence[Block], names: dict[str, Any], scratch: Path) -> None:
    """Run the blocks of a page in order, in one namespace; those with a reason not to run are left out."""
    for block in page:
        if block.reason is not None:
            continue
        if block.language == "python":
            # Empty lines ahead, so that a traceback has the line of the page.
            source = "\n" * (block.line - 1) + block.source
            exec(compile(source, block.page, "exec"), names)  # noqa: S102
        elif block.language == "sql":
            for number, statement in enumerate(statements(block.source)):
                _run_sql(names["spark"], statement, scratch / f"checkpoint-{block.line}-{number}")


def needs_query(page: Sequence[Block]) -> bool:
    """Whether a page uses the running query, or the tables about it."""
    run = [block.source for block in page if block.language in ("python", "sql") and block.reason is None]
    return any(re.search(r"\bquery\b|\bstreamon_\w+\(", source) for source in run)


LEXEME = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|--[^\n]*|/\*.*?\*/|;|.""", re.DOTALL)


def statements(source: str) -> list[str]:
    """The statements of a SQL text, which end with semicolons, without the comments of lines."""
    parts = [""]
    for lexeme in LEXEME.findall(source):
        if lexeme == ";":
            parts.append("")
        elif not lexeme.startswith("--"):
            parts[-1] += lexeme
    return [part.strip() for part in parts if part.strip()]


def _run_sql(spark: SparkSession, statement: str, checkpoint: Path) -> None:
    """Run a statement to its end. A query over streams takes all rows that there are."""
    frame = spark.sql(statement)
    if not frame.isStreaming:
        frame.collect()
        return
    writer = frame.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    writer.trigger(availableNow=True).start().awaitTermination()


def _stream(spark: SparkSession, folder: Path) -> DataFrame:
    schema = spark.read.parquet(str(folder)).schema
    return spark.readStream.schema(schema).parquet(str(folder)).withWatermark("t", "10 minutes")


def _start(frame: DataFrame, scratch: Path) -> Any:
    writer = frame.hint("mjoin", "c", "b", "o").writeStream.format("memory").queryName(JOINED)
    query = writer.option("checkpointLocation", str(scratch / "joined")).start()
    query.processAllAvailable()
    return query


def _drop(spark: SparkSession, kept: set[str]) -> None:
    for table in spark.catalog.listTables():
        if table.name in kept:
            continue
        if table.isTemporary:
            spark.catalog.dropTempView(table.name)
        else:
            spark.sql(f"DROP TABLE `{table.name}`")
    spark.catalog.clearCache()


def _restore(spark: SparkSession, confs: dict[str, str]) -> None:
    for key, value in dict(spark.conf.getAll).items():
        if key not in confs:
            spark.conf.unset(key)
        elif confs[key] != value:
            spark.conf.set(key, confs[key])
    for key in confs.keys() - dict(spark.conf.getAll).keys():
        spark.conf.set(key, confs[key])
