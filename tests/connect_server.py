"""A Spark Connect server of the tests' own."""

from __future__ import annotations

import re
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pyspark

MAIN = "org.apache.spark.sql.connect.service.SparkConnectServer"

LOGGING = f"""
rootLogger.level = error
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n
logger.server.name = {MAIN}
logger.server.level = info
"""
"""Errors, and the line in which the server names its port."""


@contextmanager
def connect_server(folder: Path, settings: dict[str, str]) -> Iterator[str]:
    """Start a server on the loopback, at a port that it picks, give its address, and stop it in the end."""
    logging = folder / "log4j2.properties"
    logging.write_text(LOGGING)
    settings = {
        **settings,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={logging}",
    }
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--class", MAIN]
    command += [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    with subprocess.Popen(
        [*command, "spark-internal"], stderr=subprocess.PIPE, text=True, cwd=folder
    ) as server:
        # A pipe that nobody reads is full after some errors, and then the server waits.
        drain = Thread(target=lambda: deque(server.stderr or (), maxlen=0))
        try:
            address = f"sc://127.0.0.1:{_port(server)}"
            drain.start()
            yield address
        finally:
            server.terminate()
            if drain.is_alive():
                drain.join()


def _port(server: subprocess.Popen[str]) -> str:
    """The port from the server's first lines; with them, an error when it ended before it said so."""
    said = []
    for line in server.stderr or ():
        said.append(line)
        started = re.search(r"server started at: .*:(\d+)$", line)
        if started:
            return started.group(1)
    raise RuntimeError("The Spark Connect server did not start:\n" + "".join(said))
