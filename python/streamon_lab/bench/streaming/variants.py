"""The engines that join, and their settings: Spark's chain in each of its state formats, and MJoin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


class Engine(Enum):
    """What runs a query. Spark's chain has an operator for each pair of streams, an MJoin is one.

    A tree is MJoins of two inputs, one above the other.
    """

    CHAIN = "chain"
    MJOIN = "mjoin"
    TREE = "tree"
    BATCH = "batch"
    FLINK = "flink"


@dataclass(frozen=True)
class Variant:
    """An engine with its settings.

    One that is `sparse` runs every other round; one that `loses` may give fewer results than the others.
    Flink makes `checkpoints` as often as Spark makes micro-batches, where it is to make any.
    """

    name: str
    engine: Engine
    conf: Mapping[str, str] = field(default_factory=dict)
    sparse: bool = False
    loses: bool = False
    checkpoints: bool = False


ROCKSDB = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
}
STATE_STORE = {
    **ROCKSDB,
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}
"""Of all streaming variants."""

COUNT_ROWS = "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows"
"""Makes RocksDB look for each row before it is written. The chain knows its rows only so; an MJoin counts."""

OFF = {"spark.streamon.enabled": "false"}


def chain(state_format: int) -> Variant:
    """Spark's own joins."""
    conf = {**STATE_STORE, **OFF, "spark.sql.streaming.join.stateFormatVersion": str(state_format)}
    if state_format == 4:
        conf["spark.sql.streaming.join.stateFormatV4.enabled"] = "true"
    return Variant(f"chain, format {state_format}", Engine.CHAIN, conf, sparse=True)


CHAINS = tuple(chain(f) for f in (2, 3, 4))
"""State format 2 is Spark's default; 4 is under development in Spark 4.2."""

CHAIN_AGAIN = replace(CHAINS[0], name=f"{CHAINS[0].name} again")
MJOIN = Variant("MJoin", Engine.MJOIN, {**STATE_STORE, "spark.streamon.join.enabled": "true"})
MJOIN_AGAIN = replace(MJOIN, name="MJoin again")

AGAIN = {MJOIN.name: MJOIN_AGAIN.name, CHAINS[0].name: CHAIN_AGAIN.name}
"""Each control beside what it repeats."""

MULTI_JOIN = "table.optimizer.multi-join.enabled"
"""Whether Flink has one operator for joins on a common key; else it has one for each pair of streams."""


def with_feature(name: str, feature: str, mode: str, **settings: str) -> Variant:
    """An MJoin with a feature, `caching` or `constraints`, in a mode and with its settings."""
    key = f"spark.streamon.join.{feature}"
    own = {f"{key}.{setting}": value for setting, value in settings.items()}
    return replace(MJOIN, name=name, conf={**MJOIN.conf, key: mode, **own})
