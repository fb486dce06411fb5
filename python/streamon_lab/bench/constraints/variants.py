"""MJoins in each mode of constraints, and Spark's chain."""

from __future__ import annotations

from dataclasses import replace

from streamon_lab.bench.streaming import variants
from streamon_lab.bench.streaming.variants import COUNT_ROWS, Variant

OF_TWO = {"spark.streamon.join.minInputs": "2"}
"""Two streams are an MJoin as well."""


def mjoin(name: str, mode: str, **settings: str) -> Variant:
    """An MJoin with constraints in a mode and with its settings."""
    made = variants.with_feature(name, "constraints", mode, **settings)
    return replace(made, conf={**made.conf, **OF_TWO})


OFF = mjoin(variants.MJOIN.name, "off")
OFF_AGAIN = replace(OFF, name=variants.MJOIN_AGAIN.name)
OBSERVE = mjoin("observe", "observe")
EXACT = mjoin("exact", "exact")
APPROXIMATE = replace(mjoin("approximate", "approximate"), loses=True)
SPARING = replace(mjoin(APPROXIMATE.name, "approximate", retention="0.001"), loses=True)
"""Of the dead rows it retains a tenth of what is usual: one in a thousand."""
CHAIN = replace(variants.CHAINS[1], conf={**variants.CHAINS[1].conf, COUNT_ROWS: "true"})
"""Spark's chain in its fastest format, which knows its rows only when RocksDB counts them."""

COMPARED = (CHAIN, OFF, OFF_AGAIN, OBSERVE, EXACT, APPROXIMATE)
COMPARED_SPARING = (CHAIN, OFF, OBSERVE, EXACT, SPARING)
DETECTED = (OFF, EXACT, APPROXIMATE)
WATCHED = (CHAIN, OFF, OFF_AGAIN, OBSERVE)
