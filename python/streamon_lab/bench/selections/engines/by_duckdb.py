"""Rules in DuckDB: a count for each rule, all in one `UNION ALL`.

Of the forms that were tried this is the fastest: counts with `FILTER`, a list of matches, a join with the
table of bounds, and a join on buckets of the most selective condition take 1 to 20 times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from streamon_lab.bench.selections.lane import Done, timed
from streamon_lab.bench.selections.rules import Rule


@contextmanager
def database(rows: pa.Table, cores: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """The rows in memory, in the table `cached`."""
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = {cores}")
        connection.register("given", rows)
        connection.execute("CREATE TABLE cached AS SELECT * FROM given").fetchall()
        yield connection


def run(connection: duckdb.DuckDBPyConnection, rules: list[Rule]) -> Callable[[], Done]:
    """What runs the rules."""

    def matches() -> tuple[int, int]:
        counts = " UNION ALL ".join(
            f"SELECT count(*) n, sum(id) ids FROM cached WHERE {rule.condition}" for rule in rules
        )
        (found,) = connection.execute(f"SELECT sum(n), coalesce(sum(ids), 0) FROM ({counts})").fetchall()
        return int(found[0]), int(found[1])

    return lambda: timed(matches)
