"""Asks Flink, in a process of its own, to run joins."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from streamon_lab.bench.streaming import checksum
from streamon_lab.bench.streaming.run import Answer, JoinRun, UnexpectedRunError
from streamon_lab.bench.streaming.variants import MULTI_JOIN, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

SERVICE = Path(__file__).with_name("flink_service.py")
MARK = "ANSWER "
LIMIT = 300
"""Seconds that one request may take."""
OPERATOR = "MultiJoin("
SHORTEST = 10.0
"""Milliseconds between two checkpoints, less than which Flink does not take."""
TRIES = 4
NEAR = 1.25
"""How far the checkpoints may be from the micro-batches, as a factor, before another interval is tried."""


class FlinkError(RuntimeError):
    """Flink ended, or said that it could not run a query."""


class Flink:
    """Runs joins on Flink, by a Python that has `apache-flink`. Ends it when the context does."""

    def __init__(self, python: Path, cores: int) -> None:
        self._cores = cores
        self._answers: dict[tuple[str, str], Answer] = {}
        self._interval: dict[tuple[str, str], float] = {}
        self._process = subprocess.Popen(
            [str(python), str(SERVICE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={k: v for k, v in os.environ.items() if not k.startswith(("PYTHONPATH", "PYSPARK"))},
            start_new_session=True,
        )
        self._requests = cast("IO[str]", self._process.stdin)
        self._lines = cast("IO[str]", self._process.stdout)
        try:
            self.version: str = self._answer()["version"]
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Flink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def explain(self, workload: JoinWorkload, variant: Variant) -> None:
        """Raises when Flink cannot plan a join, or does so with other operators than it should."""
        plan = self._ask(workload, variant, "explain")["plan"]
        multi = variant.conf[MULTI_JOIN] == "true"
        if (OPERATOR in plan) != multi:
            problem = f"{'no' if multi else 'a'} {OPERATOR}) in Flink's plan"
            raise UnexpectedRunError(f"{workload.name}, {variant.name}: {problem}:\n{plan}")

    def warm_up(self, workload: JoinWorkload, variant: Variant) -> JoinRun:
        """A run that counts and checks the results."""
        found = self._ask(workload, variant, "check")
        answer = Answer(found["results"], found["checksum"])
        self._answers[workload.name, variant.name] = answer
        if variant.checkpoints:
            self._find_interval(workload, variant)
        return JoinRun(0.0, 0.0, answer)

    def _find_interval(self, workload: JoinWorkload, variant: Variant) -> None:
        """Finds by some runs how often to make checkpoints, so that there are as many as micro-batches."""
        key = workload.name, variant.name
        seconds = self._ask(workload, replace(variant, checkpoints=False), "time")["seconds"]
        self._interval[key] = max(seconds * 1000 / workload.files, SHORTEST)
        for _ in range(TRIES):
            found = self._ask(workload, variant, "time")["checkpoints"]
            if 1 / NEAR <= found / workload.files <= NEAR:
                return
            self._interval[key] = max(self._interval[key] * (found or 0.5) / workload.files, SHORTEST)

    def run(self, workload: JoinWorkload, variant: Variant) -> JoinRun:
        """A timed run after the `warm_up` of the workload, whose answer it is taken to have."""
        found = self._ask(workload, variant, "time")
        answer = self._answers[workload.name, variant.name]
        return JoinRun(found["seconds"], 0.0, answer, checkpoints=found["checkpoints"])

    def _ask(self, workload: JoinWorkload, variant: Variant, do: str) -> dict[str, Any]:
        request = {
            "do": do,
            "conf": dict(variant.conf),
            "streams": {s.name: s.columns for s in workload.streams},
            "folder": str(workload.folder.resolve()),
            "query": workload.query,
            "checksum": checksum.expression(workload.results),
            "results": workload.results,
            "parallelism": self._cores,
        }
        if variant.checkpoints and do == "time":
            request["checkpoint_millis"] = round(self._interval[workload.name, variant.name])
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        found = self._answer()
        if "error" in found:
            raise FlinkError(f"{workload.name}: {found['error']}")
        return found

    def _answer(self) -> dict[str, Any]:
        clock = threading.Timer(LIMIT, self._end)
        clock.start()
        try:
            for line in self._lines:
                if line.startswith(MARK):
                    found: dict[str, Any] = json.loads(line[len(MARK) :])
                    return found
        finally:
            clock.cancel()
        raise FlinkError(f"Flink gave no answer within {LIMIT} seconds, or ended.")

    def _end(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
