"""What the bench of joins compares: MJoins, Spark's chain, the batch join and Flink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from streamon_lab.bench.streaming.variants import (
    CHAIN_AGAIN,
    CHAINS,
    MJOIN,
    MJOIN_AGAIN,
    MULTI_JOIN,
    OFF,
    Engine,
    Variant,
)

IN_BUDGET = replace(
    MJOIN, name="MJoin in 64 MB", conf={**MJOIN.conf, "spark.streamon.executor.memory": "64m"}
)
"""One that reads most of its rows from the state store."""
BATCH = Variant(
    "batch join",
    Engine.BATCH,
    {
        **OFF,
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "1g",
    },
)
"""Shuffled hash joins, however many rows there are: else a small join is of another kind than a large one."""


def flink(name: str, *, multi: bool, backend: str) -> Variant:
    """Flink, with its state in a backend."""
    conf = {MULTI_JOIN: str(multi).lower(), "state.backend.type": backend}
    return Variant(f"Flink {name}", Engine.FLINK, conf, sparse=True)


FLINK = flink("MultiJoin, heap", multi=True, backend="hashmap")
FLINK_DURABLE = flink("MultiJoin, RocksDB", multi=True, backend="rocksdb")
FLINK_BINARY = flink("binary joins, heap", multi=False, backend="hashmap")
FLINK_CHECKPOINTED = replace(FLINK, name=f"{FLINK.name}, checkpoints", checkpoints=True)
FLINKS = (FLINK, FLINK_DURABLE, FLINK_BINARY)

COMPARED = (*CHAINS, MJOIN, MJOIN_AGAIN, BATCH, FLINK_BINARY)
ON_ONE_KEY = (*COMPARED, FLINK)
CONTROLLED = (*ON_ONE_KEY, FLINK_CHECKPOINTED, FLINK_DURABLE, CHAIN_AGAIN)
STREAMED = (*CHAINS, MJOIN)
LARGE = (*CHAINS[1:], MJOIN, IN_BUDGET)
LONG = (*CHAINS[1:], MJOIN, MJOIN_AGAIN, BATCH, *FLINKS, FLINK_CHECKPOINTED)


FIXED = "MJoin, fixed order "


def fixed(order: Sequence[int]) -> Variant:
    """An MJoin that probes its inputs in one order for good."""
    text = ",".join(map(str, order))
    return replace(MJOIN, name=FIXED + text, conf={**MJOIN.conf, "spark.streamon.join.forcedOrder": text})
