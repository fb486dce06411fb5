"""Questions of three kinds about three texts: four streams, joined on different keys.

The streams `b`, `c` and `d` bring a text for each of their keys, all in the first micro-batch. Then `r`
brings questions: a key and a word for each of the three streams, and a kind. A question is answered when each
text contains its word. For each kind it is another text that hardly ever does. So each kind has another best
order of look-ups. Of all questions together each text answers the same share, so no order suits all of them.

What costs is to look through a text. It costs the same whether the word is there or not, since the words that
are there are near the end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.families import Family
from streamon_lab.bench.routes.joins.kinds import COLUMN, Kind
from streamon_lab.bench.routes.joins.variants import variants
from streamon_lab.bench.routes.joins.workload import KindsJoin
from streamon_lab.bench.routes.sizes import RouteSizes
from streamon_lab.bench.routes.workloads.logs import KINDS
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

NAME = "join"
SEED = 23
TEXTS = ("b", "c", "d")
RATES = ((0.05, 0.95, 0.95), (0.95, 0.05, 0.95), (0.95, 0.95, 0.05))
"""By kind, how often each text has the word."""
KEYS = 250
"""Of each stream of texts."""
WORD, WORDS = 6, 2_000
"""Letters of a word; words of a text, with a space behind each."""
LAST_WORDS = 100
"""The words that are there are among the last of a text."""

QUESTIONS = Stream(
    "r", ", ".join(["id BIGINT", f"{COLUMN} STRING", *(f"k{t} BIGINT, w{t} STRING" for t in TEXTS)])
)
STREAMS = (QUESTIONS, *(Stream(t, "k BIGINT, text STRING") for t in TEXTS))
CONDITIONS = tuple(f"contains({t}.text, r.w{t})" for t in TEXTS)
JOINS = [f"JOIN {t} ON r.k{t} = {t}.k AND {c}" for t, c in zip(TEXTS, CONDITIONS, strict=True)]
QUERY = f"SELECT r.id, CAST(char_length(r.{COLUMN}) AS BIGINT) AS {COLUMN} FROM r {' '.join(JOINS)}"


def generate(folder: Path, rows: int, per_stream: int) -> None:
    """Writes the texts, and `rows` questions.

    The later files of a stream of texts have a text each under a key that nobody asks for. The first file of
    the questions has one of them, so that all others come when the texts are there.
    """
    rng = np.random.default_rng(SEED)
    kind = rng.permutation(np.arange(rows) % len(KINDS))
    columns = {"id": pa.array(np.arange(rows)), COLUMN: pa.array(np.array(KINDS)[kind])}
    for i, stream in enumerate(TEXTS):
        words = files.words(rng, (KEYS, WORDS), WORD, "a", "z")
        texts = [b" ".join(of_key).decode() for of_key in words] + [""] * (per_stream - 1)
        table = pa.table({"k": np.arange(len(texts)), "text": pa.array(texts)})
        files.write(folder, stream, table, [KEYS + f for f in range(per_stream)])
        keys = rng.integers(KEYS, size=rows)
        there = words[keys, WORDS - 1 - rng.integers(LAST_WORDS, size=rows)]
        has = rng.random(rows) < np.array(RATES)[kind, i]
        columns[f"k{stream}"] = pa.array(keys)
        missing = files.words(rng, (rows,), WORD, "A", "Z")
        columns[f"w{stream}"] = pa.array(np.where(has, there, missing).astype(str))
    ends = [1, *(1 + end for end in files.evenly(rows - 1, per_stream - 1))]
    files.write(folder, QUESTIONS.name, pa.table(columns), ends)


def workload(root: Path, rows: int, micro_batches: int) -> KindsJoin:
    """The workload over files under a folder, which are made if they are not there."""
    folder = cached(
        root, f"routes-{NAME}-{rows}-{micro_batches}", lambda out: generate(out, rows, micro_batches)
    )
    kinds = tuple(
        Kind(name, len(range(i, rows, len(KINDS))), rates)
        for i, (name, rates) in enumerate(zip(KINDS, RATES, strict=True))
    )
    join = JoinWorkload(
        NAME,
        "a join of four streams on different keys, the rows of one of which are of three kinds",
        STREAMS,
        QUERY,
        ("id", COLUMN),
        folder,
        micro_batches,
        rows + len(TEXTS) * (KEYS + micro_batches - 1),
        variants(kinds),
    )
    return KindsJoin(join, kinds, CONDITIONS)


def family(root: Path, sizes: RouteSizes) -> Family[KindsJoin]:
    """The workload, which is made when it is asked for."""
    return Family((NAME,), lambda: [workload(root, sizes.join, sizes.micro_batches)])
