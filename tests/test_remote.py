"""Where a builder leads: to a session in this process, or to a Spark Connect server."""

from __future__ import annotations

from typing import Any

import pytest

from streamon import remote

KEYS = (
    "MASTER",
    "SPARK_API_MODE",
    "SPARK_CONNECT_MODE",
    "SPARK_CONNECT_MODE_ENABLED",
    "SPARK_LOCAL_CONNECT_REUSE",
    "SPARK_REMOTE",
)


@pytest.mark.parametrize(
    ("options", "environment", "address", "elsewhere"),
    [
        ({}, {}, None, False),
        ({"spark.master": "local[2]"}, {}, None, False),
        ({"spark.remote": "sc://a"}, {}, "sc://a", True),
        ({}, {"SPARK_REMOTE": "sc://a"}, "sc://a", True),
        ({"spark.remote": "local[2]"}, {"SPARK_REMOTE": "sc://a"}, "local[2]", False),
        ({"spark.api.mode": "connect", "spark.master": "local[3]"}, {}, "local[3]", False),
        (
            {"spark.api.mode": "Classic", "spark.master": "local[3]"},
            {"SPARK_API_MODE": "connect"},
            None,
            False,
        ),
        ({}, {"SPARK_API_MODE": "connect"}, "local", False),
        ({}, {"SPARK_API_MODE": "connect", "MASTER": "spark://a:7077"}, "spark://a:7077", False),
        ({}, {"SPARK_CONNECT_MODE": "1"}, "local", False),
        # The local server that PySpark keeps running has a JVM of its own.
        ({"spark.remote": "local", "spark.local.connect.reuse": "true"}, {}, "local", True),
        ({"spark.remote": "local"}, {"SPARK_LOCAL_CONNECT_REUSE": "1"}, "local", True),
        ({}, {"SPARK_LOCAL_CONNECT_REUSE": "1"}, None, False),
        # PySpark says so to itself once a client runs.
        ({}, {"SPARK_CONNECT_MODE_ENABLED": "1"}, None, True),
    ],
)
def test_where_a_builder_leads(
    options: dict[str, Any],
    environment: dict[str, str],
    address: str | None,
    elsewhere: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    assert remote.address(options) == address
    assert remote.is_elsewhere(options) == elsewhere
