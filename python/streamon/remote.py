"""Whether a session builder leads to Spark Connect, by the rules of PySpark's `getOrCreate`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pyspark import util

from streamon import jvm

MODE_KEYS = ("spark.remote", "spark.api.mode")
"""The options by which a builder asks for Spark Connect. The JVM of a server must not have them."""


def address(options: Mapping[str, Any]) -> str | None:
    """The address or master of the Connect server, or None for a classic session.

    Args:
        options: those of the builder.
    """
    named = options.get("spark.remote", os.environ.get("SPARK_REMOTE"))
    if named is None and _mode(options) == "connect":
        named = options.get("spark.master", os.environ.get("MASTER", "local"))
    return None if named is None else str(named)


def is_elsewhere(options: Mapping[str, Any]) -> bool:
    """Whether the builder starts no JVM: it is for a server outside this process, or for one that runs."""
    if jvm.is_remote_only() or "SPARK_CONNECT_MODE_ENABLED" in os.environ:
        return True
    return (address(options) or "").startswith("sc://") or is_reused(options)


def is_reused(options: Mapping[str, Any]) -> bool:
    """Whether it is for the local server that PySpark keeps running between programs."""
    reuse = options.get("spark.local.connect.reuse", os.environ.get("SPARK_LOCAL_CONNECT_REUSE", ""))
    return (address(options) or "").startswith("local") and str(reuse).lower() in ("1", "true")


def _mode(options: Mapping[str, Any]) -> str:
    """`classic` or `connect`."""
    named = str(options.get("spark.api.mode", os.environ.get("SPARK_API_MODE", ""))).lower()
    if named in ("classic", "connect"):
        return named
    # PySpark 3 has no API mode. `configure` refuses it later, with an error that says why.
    return util.default_api_mode() if hasattr(util, "default_api_mode") else "classic"
