"""Joins whose keys differ between pairs of streams: R(A), S(A, B), T(B), and the clique of four."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.joins import variants
from streamon_lab.bench.joins.sizes import JoinSizes
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

SEED = 11
VALUES = 1_000
NAMES = ("rst", "clique-4")

RST = (
    Stream("r", "a BIGINT, v BIGINT, p STRING"),
    Stream("s", "a BIGINT, b BIGINT, v BIGINT, p STRING"),
    Stream("t", "b BIGINT, v BIGINT, p STRING"),
)
RST_QUERY = (
    "SELECT s.a AS a, s.b AS b, r.v + s.v + t.v AS x, "
    "CAST(char_length(concat(r.p, s.p, t.p)) AS BIGINT) AS l "
    "FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b"
)

CORNERS = "abcd"
PAIRS = tuple("".join(pair) for pair in combinations(CORNERS, 2))
"""The attributes of the clique: each is one of two streams."""
ROWS_PER_VALUE = 2
"""Of an attribute in each of its streams, on average."""
CLIQUE = tuple(
    Stream(corner, ", ".join(f"{pair} BIGINT" for pair in PAIRS if corner in pair) + ", v BIGINT")
    for corner in CORNERS
)
CLIQUE_QUERY = (
    f"SELECT {' + '.join(f'{c}.v' for c in CORNERS)} AS x, a.ab AS ab, c.cd AS cd FROM a "
    "JOIN b ON a.ab = b.ab JOIN c ON a.ac = c.ac AND b.bc = c.bc "
    "JOIN d ON a.ad = d.ad AND b.bd = d.bd AND c.cd = d.cd"
)


def _columns(rng: np.random.Generator, columns: dict[str, np.ndarray]) -> pa.Table:
    """The columns and a value, the rows in random order."""
    rows = len(next(iter(columns.values())))
    order = rng.permutation(rows)
    table = {name: values[order] for name, values in columns.items()}
    return pa.table({**table, "v": rng.integers(VALUES, size=rows)})


def generate_rst(folder: Path, rows: int, per_stream: int) -> None:
    """Writes `r`, `s` and `t` of `rows` each, their keys drawn from as many values."""
    rng = np.random.default_rng(SEED)
    for stream, keys in (("r", "a"), ("s", "ab"), ("t", "b")):
        table = _columns(rng, {key: rng.integers(rows, size=rows) for key in keys})
        table = table.append_column("p", files.hexadecimal(rng, rows))
        files.write(folder, stream, table, files.evenly(rows, per_stream))


def generate_clique(folder: Path, rows: int, per_stream: int) -> None:
    """Writes `a`, `b`, `c` and `d` of `rows` each, which make at least as many results.

    Rows of the same number agree in every attribute; of an attribute alone several agree by chance.
    """
    rng = np.random.default_rng(SEED)
    drawn = {pair: rng.integers(max(1, rows // ROWS_PER_VALUE), size=rows) for pair in PAIRS}
    for corner in CORNERS:
        table = _columns(rng, {pair: drawn[pair] for pair in PAIRS if corner in pair})
        files.write(folder, corner, table, files.evenly(rows, per_stream))


def workloads(root: Path, sizes: JoinSizes) -> list[JoinWorkload]:
    """`rst` and `clique-4`."""
    rows, count = sizes.different_keys_rows, sizes.files
    rst = cached(root, f"joins-rst-{rows}-{count}", lambda out: generate_rst(out, rows, count))
    clique = cached(root, f"joins-clique-{rows}-{count}", lambda out: generate_clique(out, rows, count))
    return [
        JoinWorkload(
            "rst",
            "R(A), S(A, B), T(B)",
            RST,
            RST_QUERY,
            ("a", "b", "x", "l"),
            rst,
            count,
            len(RST) * rows,
            variants.COMPARED,
        ),
        JoinWorkload(
            "clique-4",
            "4 streams, an attribute for each pair",
            CLIQUE,
            CLIQUE_QUERY,
            ("x", "ab", "cd"),
            clique,
            count,
            len(CLIQUE) * rows,
            variants.COMPARED,
        ),
    ]
