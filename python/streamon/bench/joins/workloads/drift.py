"""Questions about four texts of a key, of which now the first has no answer and then the last.

Four streams bring one text a key, all in the first micro-batch. Then the fifth brings questions: a word for
each text, and a question is answered when every text contains its word. In the first half the word for the
first text is there for one question in ten and the word for the last for nine in ten; in the second half it
is the other way round; the words for the two texts in between are there for six in ten throughout. To look
for a word is what costs, whether it is there or not: so the first probe should be the one that drops, and
each fixed order is the wrong one for half of the rows.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon.bench.datasets import cached
from streamon.bench.joins import files
from streamon.bench.joins.sizes import JoinSizes
from streamon.bench.joins.variants import MJOIN, MJOIN_AGAIN, fixed
from streamon.bench.joins.workload import JoinWorkload, Stream

SEED = 17
KEYS = 250
TEXTS = 4
HIT_RATES = (0.1, 0.6, 0.6, 0.9)
"""By text, in the first half; in the second half they are turned round."""
WORD, WORDS = 6, 2_000
"""Letters of a word; words of a text, with a space behind each."""
LAST_WORDS = 100
"""The words that are there are among the last of a text, so that one has to look through all of it."""

QUERY = (
    "SELECT s0.k AS k, s0.id AS id FROM s0"
    + "".join(f" JOIN s{i} ON s0.k = s{i}.k" for i in range(1, TEXTS + 1))
    + " WHERE "
    + " AND ".join(f"contains(s{i}.text, s0.w{i})" for i in range(1, TEXTS + 1))
)


def probes(order: tuple[int, ...]) -> float:
    """The texts that a question is looked for in, on average, when they are probed in a fixed order."""
    total = 0.0
    for rates in (HIT_RATES, HIT_RATES[::-1]):
        reached = 1.0
        for text in order:
            total += reached / 2
            reached *= rates[text - 1]
    return total


def fixed_orders() -> list[tuple[int, ...]]:
    """Of all orders of the texts the one with the fewest probes, its mirror image, and the one with the most.

    The questions come last: they are probed by the texts alone, which are all there before them.
    """
    orders = list(permutations(range(1, TEXTS + 1)))
    best, worst = (choose(orders, key=lambda order: round(probes(order), 9)) for choose in (min, max))
    return [(*best, 0), (*(TEXTS + 1 - text for text in best), 0), (*worst, 0)]


def _words(rng: np.random.Generator, shape: tuple[int, ...], first: str, last: str) -> np.ndarray:
    letters = rng.integers(ord(first), ord(last) + 1, size=(*shape, WORD), dtype=np.uint8)
    return np.asarray(np.ascontiguousarray(letters).view(f"S{WORD}")[..., 0])


def generate(folder: Path, rows: int, per_stream: int) -> None:
    """Writes the texts `s1` to `s4` and the questions `s0`.

    The later files of a text stream have a text each under a key that nobody asks for.
    """
    rng = np.random.default_rng(SEED)
    words = _words(rng, (TEXTS, KEYS, WORDS), "a", "z")
    for text in range(TEXTS):
        spaced = [b" ".join(of_key).decode() for of_key in words[text]]
        keys = np.concatenate([np.arange(KEYS), KEYS + np.arange(per_stream - 1)])
        table = pa.table({"k": keys, "text": pa.array([*spaced, *[""] * (per_stream - 1)])})
        files.write(folder, f"s{text + 1}", table, [KEYS + f for f in range(per_stream)])
    keys = rng.integers(KEYS, size=rows)
    columns: dict[str, np.ndarray | pa.Array] = {"k": keys, "id": np.arange(rows)}
    late = np.arange(rows) >= rows // 2
    for text in range(TEXTS):
        rate = np.where(late, HIT_RATES[TEXTS - 1 - text], HIT_RATES[text])
        there = words[text, keys, WORDS - 1 - rng.integers(LAST_WORDS, size=rows)]
        missing = _words(rng, (rows,), "A", "Z")
        columns[f"w{text + 1}"] = pa.array(
            np.where(rng.random(rows) < rate, there, missing).astype(str).tolist()
        )
    # The first file has one row alone: the texts of its micro-batch come after it.
    files.write(folder, "s0", pa.table(columns), [1, *files.evenly(rows, per_stream - 1)])


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`drift`."""
    rows = sizes.drift_rows
    folder = cached(root, f"drift-{rows}-{sizes.files}", lambda out: generate(out, rows, sizes.files))
    words = ", ".join(f"w{i} STRING" for i in range(1, TEXTS + 1))
    return [
        JoinWorkload(
            "drift",
            "5 streams whose selectivities turn round",
            (
                Stream("s0", f"k BIGINT, id BIGINT, {words}"),
                *(Stream(f"s{i}", "k BIGINT, text STRING") for i in range(1, TEXTS + 1)),
            ),
            QUERY,
            ("k", "id"),
            folder,
            sizes.files,
            rows + TEXTS * (KEYS + sizes.files - 1),
            (MJOIN, MJOIN_AGAIN, *(fixed(order) for order in fixed_orders())),
        )
    ]
