"""Joins on Apache Flink, as a process of its own: run by a Python that has `apache-flink` .

PyFlink and PySpark need different versions of py4j, so that no Python has both. This file is run by name and
imports nothing of the package. Each line read is a request, each line that begins with `ANSWER` its answer,
both JSON:

    {"do": "check", "conf": {"state.backend.type": "hashmap"}, "streams": {"s0": "k BIGINT, ..."},
     "folder": "...", "query": "...", "checksum": "...", "results": ["k"], "parallelism": 2}

To `explain` is to answer with the `plan`. With `check` results are counted and their checksum is drawn, in a
run that also warms up: `results` and `checksum` are the answer. To `time` sends them into a sink that keeps
nothing: `seconds`, from the query's text to its end. With `checkpoint_millis` it makes checkpoints at that
interval, and `checkpoints` is how many there were. An `error` is its text. The first line of all has the
`version` of Flink.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from pyflink.table import EnvironmentSettings, TableEnvironment

ANSWER = "ANSWER "
CONF = {"taskmanager.memory.network.max": "256m"}


def environment(request: dict[str, Any]) -> TableEnvironment:
    """A streaming environment in which the streams are tables."""
    settings = EnvironmentSettings.in_streaming_mode()
    found = TableEnvironment.create(settings)
    config = found.get_config()
    for key, value in {**CONF, **request["conf"], "parallelism.default": str(request["parallelism"])}.items():
        config.set(key, value)
    for name, columns in request["streams"].items():
        found.execute_sql(
            f"CREATE TABLE {name} ({columns}) WITH "
            f"('connector' = 'filesystem', 'path' = 'file://{request['folder']}/{name}', 'format' = 'csv')"
        )
    return found


def explain(tables: TableEnvironment, request: dict[str, Any]) -> dict[str, Any]:
    """Flink's plan."""
    return {"plan": tables.explain_sql(request["query"])}


def check(tables: TableEnvironment, request: dict[str, Any]) -> dict[str, Any]:
    """Counts the results: the last row of a stream of counts."""
    config = tables.get_config()
    config.set("table.exec.mini-batch.enabled", "true")
    config.set("table.exec.mini-batch.allow-latency", "5 s")
    config.set("table.exec.mini-batch.size", "100000")
    counting = f"SELECT COUNT(*), SUM({request['checksum']}) FROM ({request['query']})"
    last = (0, 0)
    with tables.execute_sql(counting).collect() as rows:
        for row in rows:
            last = (row[0], row[1])
    return {"results": last[0], "checksum": last[1]}


def timed(tables: TableEnvironment, request: dict[str, Any]) -> dict[str, Any]:
    """Runs the query into a sink that keeps nothing."""
    columns = ", ".join(f"{name} BIGINT" for name in request["results"])
    tables.execute_sql(f"CREATE TABLE nothing ({columns}) WITH ('connector' = 'blackhole')")
    with TemporaryDirectory() as folder:
        if "checkpoint_millis" in request:
            config = tables.get_config()
            config.set("execution.checkpointing.interval", f"{request['checkpoint_millis']} ms")
            config.set("execution.checkpointing.dir", f"file://{folder}")
        start = time.perf_counter()
        running = tables.execute_sql(f"INSERT INTO nothing {request['query']}")
        count = CheckpointCount(Path(folder))
        running.wait()
        return {"seconds": time.perf_counter() - start, "checkpoints": count.end()}


class CheckpointCount(Thread):
    """Looks for the number of the latest checkpoint until it is ended: Flink removes them with the job."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._ended = Event()
        self._latest = 0
        self.start()

    def run(self) -> None:
        """Looks every 10 ms."""
        while not self._ended.wait(0.01):
            found = (
                int(path.parent.name.removeprefix("chk-")) for path in self._folder.glob("*/chk-*/_metadata")
            )
            self._latest = max(self._latest, *found, 0)

    def end(self) -> int:
        """Stops looking: how many checkpoints there were."""
        self._ended.set()
        self.join()
        return self._latest


TO_DO = {"explain": explain, "check": check, "time": timed}


def main() -> None:
    """Answers until there are no more requests."""
    print(ANSWER + json.dumps({"version": version("apache-flink")}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            found = TO_DO[request["do"]](environment(request), request)
        except Exception as error:
            found = {"error": str(error)[:2000]}
        print(ANSWER + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
