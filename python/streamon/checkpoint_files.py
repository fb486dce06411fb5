"""Measures how long Spark and StreaMon take to write a checkpoint file on a local disk."""

from __future__ import annotations

import tempfile
import time
from typing import Any

CONF = "spark.sql.streaming.checkpointFileManagerClass"
LOCAL = "org.streamon.spark.checkpoint.LocalCheckpointFileManager"
"""The manager that starts no processes."""

FILES = 10
WORTH = 2.0
"""The least ratio of the two times for which StreaMon's manager is advised."""


def advice(jvm: Any) -> str:
    """How long each manager takes to write a file, and which one to use. The JVM must have the jar.

    Without Hadoop's native library, Spark's manager starts processes for each file. With it there is nothing
    to gain.
    """
    from py4j.protocol import Py4JJavaError  # not there in a pure Connect client

    with tempfile.TemporaryDirectory() as folder:
        conf = jvm.org.apache.hadoop.conf.Configuration()
        try:
            sparks = milliseconds(jvm, conf, f"{folder}/spark")
        except Py4JJavaError as error:
            return f"Spark cannot write one below {folder} ({error.java_exception}): set {CONF}={LOCAL}"
        conf.set(CONF, LOCAL)
        own = milliseconds(jvm, conf, f"{folder}/streamon")
    written = f"Spark writes one below {tempfile.gettempdir()} in {sparks:.1f} ms"
    if sparks < WORTH * own:
        return f"{written}, with nothing to gain"
    return f"{written}. With {CONF}={LOCAL} it takes {own:.1f} ms"


def milliseconds(jvm: Any, conf: Any, folder: str) -> float:
    """The median time to write a file with the manager in the configuration. The first files do not count."""
    path = jvm.org.apache.hadoop.fs.Path
    managers = jvm.org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
    manager = managers.create(path(f"file:{folder}"), conf)
    manager.createCheckpointDirectory()
    took = []
    for number in range(FILES):
        begin = time.perf_counter()
        manager.createAtomic(path(f"file:{folder}/{number}"), False).close()
        took.append(1000 * (time.perf_counter() - begin))
    return sorted(took)[FILES // 2]
