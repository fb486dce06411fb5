"""MJoins with and without caches, with caches that are forced, the materialized tree, and Spark's chain."""

from __future__ import annotations

from dataclasses import replace

from streamon_lab.bench.streaming import variants
from streamon_lab.bench.streaming.variants import Engine, Variant


def mjoin(name: str, caching: str, **settings: str) -> Variant:
    """An MJoin with caches of a mode and with their settings."""
    return variants.with_feature(name, "caching", caching, **settings)


PLAIN = mjoin(variants.MJOIN.name, "off")
PLAIN_AGAIN = replace(PLAIN, name=variants.MJOIN_AGAIN.name)
PREFIX = mjoin("prefix caches", "prefix")
GLOBAL = mjoin("global caches", "global")
CHAIN = variants.CHAINS[1]
"""Spark's own, in state format 3."""
TREE = replace(PLAIN, name="materialized tree", engine=Engine.TREE)
"""MJoins of two inputs, each of which keeps the results of the one below among its rows."""

COMPARED = (CHAIN, TREE, PLAIN, PLAIN_AGAIN, PREFIX, GLOBAL)
ADAPTIVE = (PREFIX, GLOBAL)
PROBED = (PLAIN, PLAIN_AGAIN, *ADAPTIVE)

RS = mjoin("cache of R and S", "global", forced="0+1")
ST = mjoin("cache of S and T", "global", forced="1+2")
STATIC = (RS, ST)

LADDER = tuple(mjoin(f"prefix caches, {memory}", "prefix", memory=memory) for memory in ("1k", "8k", "32k"))
