"""The settings that make RocksDB the state store of streams, which MJoins need."""

from __future__ import annotations

from collections.abc import Collection

from pyspark.sql import SparkSession

PROVIDER = "spark.sql.streaming.stateStore.providerClass"

SETTINGS = {
    PROVIDER: "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}


def missing(stated: Collection[str]) -> dict[str, str]:
    """The settings whose keys are not stated yet."""
    return {key: value for key, value in SETTINGS.items() if key not in stated}


def use_rocksdb(session: SparkSession) -> None:
    """Set them in a session, except those that its user, or the administrator of its server, has set."""
    for key, value in missing(session.conf.getAll).items():
        session.conf.set(key, value)
