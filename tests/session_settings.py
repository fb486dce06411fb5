"""Settings of a session for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pyspark.sql import SparkSession


@contextmanager
def settings_of(session: SparkSession, values: Mapping[str, str]) -> Iterator[None]:
    """Set them, and leave the session as it was: what was not set before is not set afterwards."""
    before = dict(session.conf.getAll)
    for key, value in values.items():
        session.conf.set(key, value)
    try:
        yield
    finally:
        for key in values:
            if key in before:
                session.conf.set(key, before[key])
            else:
                session.conf.unset(key)
