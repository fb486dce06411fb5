"""Three, five and eight streams joined on one key; the same with hardly any rows, and with many.

Every key comes once in each stream, and with probability 0.2 twice, at a random place of the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.joins import variants
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.variants import MJOIN, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

SEED = 7
TWICE = 0.2
VALUES = 1_000
COLUMNS = "k BIGINT, v BIGINT, p STRING, ts BIGINT"
EMPTY = "8-way-empty"
GROWING = ("3-way-1x", "3-way-2x", "3-way-4x")
LARGEST = GROWING[-1]
MILLIS = 7_200_000
"""How long the streams last, in milliseconds of event time."""


def keys_of(stream: int, keys: int) -> np.ndarray:
    """The keys of a stream in the order in which they arrive."""
    rng = np.random.default_rng([SEED, stream])
    found = np.concatenate([np.arange(keys), np.flatnonzero(rng.random(keys) < TWICE)])
    rng.shuffle(found)
    return found


def generate(folder: Path, streams: int, keys: int, per_stream: int) -> None:
    """Writes the streams `s0`, `s1` and so on, each as `per_stream` files."""
    for stream in range(streams):
        found = keys_of(stream, keys)
        rows = len(found)
        rng = np.random.default_rng([SEED, stream, 1])
        table = pa.table(
            {
                "k": found,
                "v": rng.integers(VALUES, size=rows),
                "p": files.hexadecimal(rng, rows),
                "ts": np.arange(rows) * MILLIS // rows,
            }
        )
        files.write(folder, f"s{stream}", table, files.evenly(rows, per_stream))


def query(streams: int) -> str:
    """Joins all streams; the results have the columns `k`, `x` and `l`."""
    names = [f"s{i}" for i in range(streams)]
    joins = "".join(f" JOIN {name} ON s0.k = {name}.k" for name in names[1:])
    sum_ = " + ".join(f"{name}.v" for name in names)
    texts = ", ".join(f"{name}.p" for name in names)
    return f"SELECT s0.k AS k, {sum_} AS x, CAST(char_length(concat({texts})) AS BIGINT) AS l FROM s0{joins}"


def names(sizes: JoinSizes) -> list[str]:
    """The names of the workloads."""
    return [
        *(f"{streams}-way" for streams in sizes.keys),
        EMPTY,
        *(f"{streams}-way-long" for streams in sizes.long_keys),
        *GROWING,
    ]


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """Of three, five and eight streams; `8-way-empty`; two `-long`; and `3-way-1x`, `-2x` and `-4x`."""

    def workload(name: str, title: str, streams: int, keys: int, compared: Sequence[Variant]) -> JoinWorkload:
        folder = cached(
            root,
            f"joins-{streams}-{keys}-{sizes.files}",
            lambda out: generate(out, streams, keys, sizes.files),
        )
        return JoinWorkload(
            name,
            title,
            tuple(Stream(f"s{i}", COLUMNS) for i in range(streams)),
            query(streams),
            ("k", "x", "l"),
            folder,
            sizes.files,
            sum(len(keys_of(i, keys)) for i in range(streams)),
            tuple(compared),
        )

    found = []
    for streams, keys in sizes.keys.items():
        compared = variants.CONTROLLED if streams == 3 else variants.ON_ONE_KEY
        found.append(workload(f"{streams}-way", f"{streams} streams on one key", streams, keys, compared))
    found.append(workload(EMPTY, "8 streams, micro-batches nearly empty", 8, sizes.files, variants.STREAMED))
    for streams, keys in sizes.long_keys.items():
        title = f"{streams} streams, many rows"
        found.append(workload(f"{streams}-way-long", title, streams, keys, variants.LONG))
    for name, keys in zip(GROWING, sizes.growing_keys, strict=True):
        compared = variants.LARGE if name == LARGEST else (MJOIN,)
        found.append(workload(name, "3 streams, state that grows", 3, keys, compared))
    return found
