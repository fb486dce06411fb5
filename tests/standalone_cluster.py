"""A standalone cluster of the tests' own: a master and workers, each a process on a host of its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from programs import environment

WORKERS = ("127.0.0.2", "127.0.0.3")
"""Their hosts, which are addresses of the loopback interface."""

PATIENCE = 60
"""Seconds that a node may take until it has started."""


@contextmanager
def standalone_cluster(scripts: Path, folder: Path) -> Iterator[str]:
    """Start the cluster by the Spark of a scripts folder, give its address, and stop it in the end.

    Each worker has room for one executor with one core and 1 GB.
    """
    room = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / "work"))
    with ExitStack() as nodes:
        started = nodes.enter_context
        address = started(
            _node("master.Master", "127.0.0.1", says=r"spark://127[\d.:]+", scripts=scripts, folder=folder)
        )
        for host in WORKERS:
            started(
                _node(
                    "worker.Worker",
                    host,
                    *room,
                    address,
                    says="registered with master",
                    scripts=scripts,
                    folder=folder,
                )
            )
        yield address


@contextmanager
def _node(main: str, host: str, *own: str, says: str, scripts: Path, folder: Path) -> Iterator[str]:
    """A process of the cluster, and what it says when it has started."""
    command = [scripts / "spark-class", f"org.apache.spark.deploy.{main}", "--host", host]
    command += ["--port", "0", "--webui-port", "0", *own]
    settings = {**environment(scripts, folder), "SPARK_LOCAL_IP": host}
    log = folder / f"{host}.log"
    with (
        log.open("w") as said,
        subprocess.Popen(command, stderr=said, stdout=said, cwd=folder, env=settings) as process,
    ):
        try:
            yield _started(process, log, says)
        finally:
            process.terminate()


def _started(process: subprocess.Popen[bytes], log: Path, says: str) -> str:
    pause = 0.05
    for _ in range(int(PATIENCE / pause)):
        if found := re.search(says, log.read_text()):
            return found.group()
        with suppress(subprocess.TimeoutExpired):
            process.wait(pause)
            break
    raise RuntimeError("The node did not start:\n" + log.read_text())
