"""A session of a Spark Connect server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pyspark
from pyspark.sql import SparkSession

from streamon.errors import ConnectError

PORT = 15002
"""Spark Connect's own, where an address has none."""

PATIENCE = 10
"""Seconds in which the server must accept a connection. The client itself would try again for minutes."""


@contextmanager
def remote_session(url: str) -> Iterator[SparkSession]:
    """A session of its own at a server, closed in the end.

    Args:
        url: the server's address, such as `sc://host:15002`.

    Raises:
        ConnectError: it is no address, nobody answers there, or packages that the client needs are missing.
    """
    _check_reachable(url)
    try:
        from pyspark.sql.connect.session import SparkSession as RemoteSession
    except ImportError as error:
        raise ConnectError(
            f"Spark Connect needs more packages ({error}): "
            f'install them with `pip install "pyspark[connect]=={pyspark.__version__}"`.'
        ) from error
    session = RemoteSession.builder.remote(url).create()
    try:
        yield session  # type: ignore[misc]
    finally:
        session.stop()


def _check_reachable(url: str) -> None:
    """See that somebody listens."""
    try:
        scheme, place = urlsplit(url).scheme, urlsplit(url)
        host, port = place.hostname, place.port or PORT
    except ValueError:
        scheme, host, port = "", None, PORT
    if scheme != "sc" or host is None:
        raise ConnectError(
            f"`{url}` is no address of a Spark Connect server: use one such as sc://host:{PORT}."
        )
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise ConnectError(f"No Spark Connect server answers at {host}:{port} ({error}).") from error
