"""What a workload of the join bench is: a query over streams of files, and the engines it is for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from streamon_lab.bench.streaming.variants import Engine, Variant


@dataclass(frozen=True)
class Stream:
    """One input: a folder of CSV files of that name, and its columns as Spark SQL declares them.

    One that is `timed` has an event time `t`, made of its column `ts` in milliseconds, that never goes back.
    """

    name: str
    columns: str
    timed: bool = False


@dataclass(frozen=True)
class JoinWorkload:
    """A query whose results have the BIGINT columns `results`.

    Each stream has `files` files in `folder`, ordered by their time; with one of each in a micro-batch a
    run has as many micro-batches. `rows` are those of all streams. After `growing` micro-batches the state
    is as large as it becomes, on average. `tree` is the query that `Engine.TREE` runs. Rows leave the state
    of one that `expires`, so that how many there are depends on the micro-batches.
    """

    name: str
    title: str
    streams: tuple[Stream, ...]
    query: str
    results: tuple[str, ...]
    folder: Path
    files: int
    rows: int
    variants: tuple[Variant, ...]
    growing: int = 0
    tree: str = ""
    expires: bool = False

    def without(self, engine: Engine) -> JoinWorkload:
        """The same for all other engines."""
        return replace(self, variants=tuple(v for v in self.variants if v.engine is not engine))
