"""Runs a streaming query to its end, into a sink that keeps nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

LIMIT = 1_800
"""Seconds that one streaming run may take."""


class TooSlowError(AssertionError):
    """A run did not end within its time."""


@contextmanager
def new_checkpoint(folder: Path) -> Iterator[Path]:
    """A folder for the checkpoint of one run, which is removed afterwards.

    No other folder has its name: a run that was killed leaves its checkpoint.
    """
    checkpoint = Path(mkdtemp(dir=folder))
    try:
        yield checkpoint
    finally:
        shutil.rmtree(checkpoint, ignore_errors=True)


def drain(frame: DataFrame, checkpoint: Path, name: str) -> StreamingQuery:
    """Takes what the sources have, and gives the query after its end.

    Args:
        frame: a stream.
        checkpoint: of the query.
        name: of what runs, for the error.

    Raises:
        TooSlowError: the query has not ended after half an hour. It is stopped then.
    """
    writer = frame.writeStream.format("noop").trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(checkpoint)).start()
    try:
        if not query.awaitTermination(LIMIT):
            raise TooSlowError(f"{name}: not done in {LIMIT} seconds")
    finally:
        query.stop()
    return query
