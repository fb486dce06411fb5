"""The streams of a join's workload as tables of another database."""

from __future__ import annotations

import duckdb

from streamon_lab.bench.streaming.workload import JoinWorkload


def read_by_duckdb(workload: JoinWorkload) -> duckdb.DuckDBPyConnection:
    """A connection in which the streams are tables."""
    connection = duckdb.connect()
    for stream in workload.streams:
        names = [column.split()[0] for column in stream.columns.split(", ")]
        columns = ", ".join(f"column{i} AS {name}" for i, name in enumerate(names))
        files = workload.folder / stream.name / "*.csv"
        connection.execute(
            f"CREATE TABLE {stream.name} AS SELECT {columns} FROM read_csv('{files}', header=false, "
            f"names={[f'column{i}' for i in range(len(names))]}, delim=',', ignore_errors=false, "
            "null_padding=false, strict_mode=false)"
        )
    return connection
