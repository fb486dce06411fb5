"""Questions about four texts of a key, of which now the first has no answer and then the last.

Four streams bring one text a key, all in the first micro-batch. Then two streams bring questions: a word for
each text, and a question is answered when every text contains its word. In the first half the word for the
first text is there for one question in ten and the word for the last for nine in ten; in the second half it
is the other way round; the words for the two texts in between are there for six in ten throughout. To look
for a word is what costs, whether it is there or not: so the first probe should be the one that drops, and
each fixed order is the wrong one for half of the rows.

The rates turn round as well: of ten questions nine come in the first of the two streams, and then one. Each
asks about the keys of its half; under a key of the other's it has a single question, which every text
answers, so that a result is a question of one of the two.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.joins.variants import fixed
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.variants import MJOIN, MJOIN_AGAIN
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

NAMES = ("drift",)
SEED = 17
KEYS = 250
"""The first half are asked about by `s0`, the others by `s5`."""
TEXTS = 4
ASKING = (0, TEXTS + 1)
"""The numbers of the streams of questions; those of the texts are in between."""
OFTEN = 0.9
"""The share of the questions that come in the first of the streams, in the first half."""
HIT_RATES = (0.1, 0.6, 0.6, 0.9)
"""By text, in the first half; in the second half they are turned round."""
WORD, WORDS = 6, 2_000
"""Letters of a word; words of a text, with a space behind each."""
LAST_WORDS = 100
"""The words that are there are among the last of a text, so that one has to look through all of it."""

ALWAYS = " "
"""Is in every text, near its beginning."""

QUERY = (
    "SELECT s0.k AS k, s0.id + s5.id AS id FROM s0"
    + "".join(f" JOIN s{i} ON s0.k = s{i}.k" for i in range(1, TEXTS + 2))
    + " WHERE "
    + " AND ".join(f"contains(s{i}.text, s{a}.w{i})" for a in ASKING for i in range(1, TEXTS + 1))
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

    The questions come last: under the key of a question there is one of the other stream, to which all texts
    have an answer.
    """
    orders = list(permutations(range(1, TEXTS + 1)))
    best, worst = (choose(orders, key=lambda order: round(probes(order), 9)) for choose in (min, max))
    mirrored = (TEXTS + 1 - text for text in best)
    return [(*texts, *ASKING) for texts in (best, mirrored, worst)]


def generate(folder: Path, rows: int, per_stream: int) -> None:
    """Writes the texts `s1` to `s4` and the questions `s0` and `s5`, `rows` of them.

    The later files of a text stream have a text each under a key that nobody asks for. The first file of a
    stream of questions has those under the keys of the other; their number is 0.
    """
    rng = np.random.default_rng(SEED)
    words = files.words(rng, (TEXTS, KEYS, WORDS), WORD, "a", "z")
    for text in range(TEXTS):
        spaced = [b" ".join(of_key).decode() for of_key in words[text]]
        keys = np.concatenate([np.arange(KEYS), KEYS + np.arange(per_stream - 1)])
        table = pa.table({"k": keys, "text": pa.array([*spaced, *[""] * (per_stream - 1)])})
        files.write(folder, f"s{text + 1}", table, [KEYS + f for f in range(per_stream)])
    late = np.arange(rows) >= rows // 2
    asking = (rng.random(rows) < np.where(late, OFTEN, 1 - OFTEN)).astype(int)
    keys = rng.integers(KEYS // 2, size=rows) + asking * (KEYS // 2)
    columns: dict[str, np.ndarray] = {"k": keys, "id": np.arange(1, rows + 1)}
    for text in range(TEXTS):
        rate = np.where(late, HIT_RATES[TEXTS - 1 - text], HIT_RATES[text])
        there = words[text, keys, WORDS - 1 - rng.integers(LAST_WORDS, size=rows)]
        missing = files.words(rng, (rows,), WORD, "A", "Z")
        columns[f"w{text + 1}"] = np.where(rng.random(rows) < rate, there, missing).astype(str)
    cuts = files.evenly(rows, per_stream - 1)
    for which, stream in enumerate(ASKING):
        of_other = np.arange(KEYS // 2) + (1 - which) * (KEYS // 2)
        first = {"k": of_other, "id": 0 * of_other} | {
            f"w{text + 1}": np.full(KEYS // 2, ALWAYS) for text in range(TEXTS)
        }
        own = np.flatnonzero(asking == which)
        table = pa.table({n: pa.array([*first[n].tolist(), *columns[n][own].tolist()]) for n in columns})
        ends = KEYS // 2 + np.searchsorted(own, [0, *cuts])
        files.write(folder, f"s{stream}", table, [int(end) for end in ends])


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`drift`."""
    rows = sizes.drift_rows
    folder = cached(root, f"drift-both-{rows}-{sizes.files}", lambda out: generate(out, rows, sizes.files))
    words = ", ".join(f"w{i} STRING" for i in range(1, TEXTS + 1))
    return [
        JoinWorkload(
            *NAMES,
            "6 streams whose rates and selectivities turn round",
            tuple(
                Stream(f"s{i}", f"k BIGINT, id BIGINT, {words}" if i in ASKING else "k BIGINT, text STRING")
                for i in range(TEXTS + 2)
            ),
            QUERY,
            ("k", "id"),
            folder,
            sizes.files,
            rows + KEYS + TEXTS * (KEYS + sizes.files - 1),
            (MJOIN, MJOIN_AGAIN, *(fixed(order) for order in fixed_orders())),
        )
    ]
