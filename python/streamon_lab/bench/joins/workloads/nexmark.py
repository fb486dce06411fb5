"""Nexmark's query 23: the bids of people who have put something up for auction themselves.

The events follow Nexmark's generator in what a join sees of them: of 50 events one is a person, three are
auctions and 46 are bids; three of four auctions are by the first of the latest hundred people, three of
four bids by the second, the others by any of the latest 1000 people or of the next ten. Texts are one
column of the size that Nexmark gives a row on average.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.joins import variants
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

NAMES = ("nexmark-q23",)
SEED = 23
EPOCH, PEOPLE, AUCTIONS = 50, 1, 3
"""Of an epoch's events the first are people, then come auctions; the others are bids."""
HOT_BATCH, HOT_RATIO = 100, 4
ACTIVE_PEOPLE, LEAD = 1_000, 10
FIRST_PERSON, FIRST_AUCTION, FIRST_CATEGORY = 1_000, 1_000, 10
CATEGORIES = 5
MOST_PRICE = 1_000_000
TEXT_POOL = 1_000
PERSON_TEXT, AUCTION_TEXT, BID_TEXT = 190, 450, 70
"""Characters: what Nexmark's average rows of 200, 500 and 100 bytes leave beside their numbers."""

QUERY = """\
SELECT b.bidder AS bidder, b.price AS price, a.initialBid AS initialBid, a.reserve AS reserve,
       a.category AS category, CAST(char_length(concat(b.extra, p.extra, a.extra)) AS BIGINT) AS texts
FROM bid b JOIN person p ON p.id = b.bidder JOIN auction a ON a.seller = b.bidder"""

STREAMS = (
    Stream("bid", "auction BIGINT, bidder BIGINT, price BIGINT, extra STRING"),
    Stream("person", "id BIGINT, extra STRING"),
    Stream(
        "auction",
        "id BIGINT, initialBid BIGINT, reserve BIGINT, seller BIGINT, category BIGINT, extra STRING",
    ),
)


def people(rng: np.random.Generator, events: np.ndarray, hot: int) -> np.ndarray:
    """Whom the events of these numbers are by; `hot` is the place of the hot one in its hundred."""
    last = events // EPOCH
    active = np.minimum(last + 1, ACTIVE_PEOPLE)
    anyone = last + 1 - active + rng.integers(active + LEAD)
    is_hot = rng.integers(HOT_RATIO, size=len(events)) > 0
    return FIRST_PERSON + np.where(is_hot, last // HOT_BATCH * HOT_BATCH + hot, anyone)


def _texts(rng: np.random.Generator, rows: int, length: int) -> pa.Array:
    letters = rng.integers(ord("a"), ord("z") + 1, size=(TEXT_POOL, length), dtype=np.uint8)
    return pa.array([row.tobytes().decode() for row in letters]).take(
        pa.array(rng.integers(TEXT_POOL, size=rows))
    )


def generate(folder: Path, events: int, per_stream: int) -> None:
    """Writes `person`, `auction` and `bid`, file by file the same stretches of the events."""
    rng = np.random.default_rng(SEED)
    number = np.arange(events)
    offset = number % EPOCH
    is_person, is_bid = offset < PEOPLE, offset >= PEOPLE + AUCTIONS
    is_auction = ~is_person & ~is_bid
    persons, auctions, bids = (number[which] for which in (is_person, is_auction, is_bid))
    initial = rng.integers(1, MOST_PRICE, size=len(auctions))
    tables = {
        "person": pa.table(
            {
                "id": FIRST_PERSON + np.arange(len(persons)),
                "extra": _texts(rng, len(persons), PERSON_TEXT),
            }
        ),
        "auction": pa.table(
            {
                "id": FIRST_AUCTION + np.arange(len(auctions)),
                "initialBid": initial,
                "reserve": initial + rng.integers(1, MOST_PRICE, size=len(auctions)),
                "seller": people(rng, auctions, 0),
                "category": FIRST_CATEGORY + rng.integers(CATEGORIES, size=len(auctions)),
                "extra": _texts(rng, len(auctions), AUCTION_TEXT),
            }
        ),
        "bid": pa.table(
            {
                "auction": FIRST_AUCTION + bids // EPOCH * AUCTIONS + rng.integers(AUCTIONS, size=len(bids)),
                "bidder": people(rng, bids, 1),
                "price": rng.integers(1, MOST_PRICE, size=len(bids)),
                "extra": _texts(rng, len(bids), BID_TEXT),
            }
        ),
    }
    cuts = files.evenly(events, per_stream)
    for name, of_stream in (("person", persons), ("auction", auctions), ("bid", bids)):
        files.write(folder, name, tables[name], [int(end) for end in np.searchsorted(of_stream, cuts)])


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`nexmark-q23`."""
    events = sizes.nexmark_events
    folder = cached(root, f"nexmark-{events}-{sizes.files}", lambda out: generate(out, events, sizes.files))
    return [
        JoinWorkload(
            *NAMES,
            "Nexmark's bids with person and auction",
            STREAMS,
            QUERY,
            ("bidder", "price", "initialBid", "reserve", "category", "texts"),
            folder,
            sizes.files,
            events,
            variants.COMPARED,
        )
    ]
