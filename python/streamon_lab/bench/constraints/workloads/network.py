"""The running query of the thesis: packets of customers, on the backbone, on an outgoing link.

Each packet is on a link once at most. One customer's packet in ten goes on to the backbone and then out, each
time after a few other packets. The windows are ten minutes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamon_lab.bench.constraints import variants
from streamon_lab.bench.constraints.sizes import ConstraintSizes
from streamon_lab.bench.constraints.workloads import streams
from streamon_lab.bench.datasets import cached
from streamon_lab.bench.streaming.variants import Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

NAMES = ("network", "network-detected")
SEED = 31
WINDOW = 600_000
"""Milliseconds."""
ONE_IN = 10
DELAY = 30
"""Packets of customers, at most, between two links."""
TO_BACKBONE, TO_OUTGOING = 8, 12
"""The k of the two joins: so few packets of a link come while another is on its way there."""

STREAMS = dict.fromkeys(("c", "b", "o"), "pid BIGINT, size BIGINT, ts BIGINT")
HINTS = (
    "UNIQUE(c, pid), UNIQUE(b, pid), UNIQUE(o, pid), "
    f"K_CONSTRAINT('RIDS', c, b, {TO_BACKBONE}), K_CONSTRAINT('RIDS', b, o, {TO_OUTGOING})"
)
QUERY = """\
SELECT {hints}c.pid AS pid, c.size AS size, c.ts AS ts FROM c
JOIN b ON c.pid = b.pid AND c.t < b.t + INTERVAL 10 MINUTES AND b.t < c.t + INTERVAL 10 MINUTES
JOIN o ON b.pid = o.pid AND c.t < o.t + INTERVAL 10 MINUTES AND o.t < c.t + INTERVAL 10 MINUTES"""


def packets(rows: int, gap: int) -> dict[str, streams.Columns]:
    """The three links; `rows` packets of customers, `gap` milliseconds apart."""
    rng = np.random.default_rng(SEED)
    number = np.arange(rows // ONE_IN * ONE_IN)
    # Of each ten packets one: the others that are on their way with it are bounded so.
    passing = number[::ONE_IN] + rng.integers(ONE_IN, size=len(number) // ONE_IN)
    pid = rng.permutation(len(number))
    size = rng.integers(40, 1_500, size=len(number))
    sent = {"c": (number, number * gap)}
    at = number[passing] * gap
    for link in ("b", "o"):
        at = at + rng.integers(1, DELAY + 1, size=len(passing)) * gap
        sent[link] = (passing, at)
    return {link: {"pid": pid[which], "size": size[which], "ts": ts} for link, (which, ts) in sent.items()}


def generate(folder: Path, sizes: ConstraintSizes) -> None:
    """Writes `c`, `b` and `o`."""
    gap, count = WINDOW // sizes.window_rows, batches(sizes)
    rows = int(sizes.window_rows * sizes.windows)
    # What is still on its way comes with the last file.
    streams.write(folder, packets(rows, gap), (rows + 2 * DELAY) * gap + 1, count)


def batches(sizes: ConstraintSizes) -> int:
    """Micro-batches in all."""
    return int(sizes.window_batches * sizes.windows)


def workloads(root: Path, sizes: ConstraintSizes) -> list[JoinWorkload]:
    """`network`, and `network-detected`, in which nobody declares anything."""
    count = batches(sizes)
    # A watermark is that of the micro-batch before.
    growing = min(sizes.window_batches + 2, count - 1)
    folder = cached(
        root,
        f"constraints-network-{sizes.window_rows}-{count}",
        lambda out: generate(out, sizes),
    )

    def workload(name: str, title: str, hints: str, compared: tuple[Variant, ...]) -> JoinWorkload:
        query = QUERY.format(hints=hints)
        return streams.workload(name, title, STREAMS, query, folder, count, compared, growing)

    return [
        workload(
            "network",
            "customer, backbone, outgoing link; declared",
            f"/*+ {HINTS} */ ",
            variants.COMPARED_SPARING,
        ),
        workload("network-detected", "the same, nothing declared", "", variants.DETECTED),
    ]
