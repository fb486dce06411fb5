"""What a file of a checkpoint on a local disk costs, by Spark's manager of such files and by StreaMon's."""

from __future__ import annotations

import tempfile
import time
from typing import Any

CONF = "spark.sql.streaming.checkpointFileManagerClass"
LOCAL = "org.streamon.spark.checkpoint.LocalCheckpointFileManager"
"""The manager that starts no processes."""

FILES = 10


def advice(jvm: Any) -> str:
    """How long each manager takes for a file, in a JVM that has the jar, and which to choose.

    Without Hadoop's native library Spark's starts processes for each file; with it there is nothing to gain.
    """
    conf = jvm.org.apache.hadoop.conf.Configuration()
    with tempfile.TemporaryDirectory() as folder:
        sparks = _milliseconds(jvm, conf, f"{folder}/spark")
        conf.set(CONF, LOCAL)
        own = _milliseconds(jvm, conf, f"{folder}/streamon")
    if sparks < 2 * own:
        return f"Spark writes one to a local disk in {sparks:.1f} ms, with nothing to gain"
    return f"Spark writes one to a local disk in {sparks:.1f} ms. With {CONF}={LOCAL} it takes {own:.1f} ms"


def _milliseconds(jvm: Any, conf: Any, folder: str) -> float:
    """Of the median file, so that the first ones do not count."""
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
