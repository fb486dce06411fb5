"""Calls of StreaMon's table functions: plain SQL, so they work over Spark Connect too."""

from __future__ import annotations

from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from streamon import jvm


def select(spark: SparkSession, call: str, args: Any = None, **frames: DataFrame) -> DataFrame:
    """All rows of a call.

    Args:
        spark: a session.
        call: the call, and SQL that may follow it, such as an ORDER BY. `{name}` stands for a frame.
        args: values of its parameters, by name.
        frames: its frames, by name.

    Raises:
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar in the session's JVM is of another version than this package.
    """
    jvm.check_session(spark)
    try:
        selected = spark.sql(f"SELECT * FROM {call}", args, **frames)  # noqa: S608
        selected.schema  # noqa: B018  a Connect client resolves the name only now
    except AnalysisException as error:
        if error.getCondition() == "UNRESOLVABLE_TABLE_VALUED_FUNCTION":
            jvm.refuse(spark)
        raise
    return selected
