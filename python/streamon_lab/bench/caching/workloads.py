"""The joins of the caching bench: R-S-T, chains, one key, pairs without an index, a burst.

Rows never leave; a run of a workload `x` is measured beside that of `x-short`, with fewer rows in as many
micro-batches, so that their fixed cost can be taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.caching import points, variants
from streamon_lab.bench.caching.queries import CHAIN, ONE_KEY, RANGE, RST, JoinQuery
from streamon_lab.bench.caching.sizes import CachingSizes
from streamon_lab.bench.datasets import cached
from streamon_lab.bench.families import Family
from streamon_lab.bench.streaming import files
from streamon_lab.bench.streaming.variants import Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

SEED = 23
SHORT = "-short"
RARE = 2_000
"""One S in so many has an R."""
REPEATED = 10
"""Values of B in T: each comes again and again."""
SPREAD = 10_000
"""Values of X."""

MANY_REPEATED = 200
"""The same where caches are to take memory."""

Columns = Mapping[str, np.ndarray]
Generator = Callable[[np.random.Generator, int], Mapping[str, Columns]]


def _rst(repeated: int) -> Generator:
    """Many S for a B, few of which have an R; T asks for the same B over and over."""

    def generate(rng: np.random.Generator, rows: int) -> dict[str, Columns]:
        r, s = rows // 20, rows // 4
        values = max(1, r)
        return {
            "r": {"a": rng.integers(values, size=r)},
            "s": {"a": rng.integers(values * RARE, size=s), "b": rng.integers(repeated, size=s)},
            "t": {"b": rng.integers(repeated, size=rows - r - s)},
        }

    return generate


def _unique(rng: np.random.Generator, rows: int) -> dict[str, Columns]:
    """Hardly any value comes again."""
    each = rows // 3
    keys = {"r": "a", "s": "ab", "t": "b"}
    return {name: {key: rng.integers(each, size=each) for key in own} for name, own in keys.items()}


def _chain(rng: np.random.Generator, rows: int) -> dict[str, Columns]:
    """As R, S, T, with a T for each S in between; U asks for the same C over and over."""
    r, s = rows // 20, rows // 5
    values = max(1, r)
    return {
        "r": {"a": rng.integers(values, size=r)},
        "s": {"a": rng.integers(values * RARE, size=s), "b": rng.permutation(s)},
        "t": {"b": rng.permutation(s), "c": rng.integers(REPEATED, size=s)},
        "u": {"c": rng.integers(REPEATED, size=rows - r - 2 * s)},
    }


def _one_key(rng: np.random.Generator, rows: int) -> dict[str, Columns]:
    """Two rows of each stream for a key, about."""
    each = rows // 4
    return {name: {"k": rng.integers(max(1, each // 2), size=each)} for name in "rstu"}


def _range(window: int) -> Generator:
    """R and S joined by a range within four groups, S and T by a key that T repeats."""

    def generate(rng: np.random.Generator, rows: int) -> dict[str, Columns]:
        s = window // 4
        return {
            "r": {"a": rng.integers(4, size=window), "x": rng.integers(SPREAD, size=window)},
            "s": {
                "a": rng.integers(4, size=s),
                "x": rng.integers(SPREAD, size=s),
                "b": rng.integers(REPEATED, size=s),
            },
            "t": {"b": rng.integers(REPEATED, size=rows)},
        }

    return generate


def _write(folder: Path, streams: Mapping[str, Columns], count: int, rng: np.random.Generator) -> None:
    for name, columns in streams.items():
        rows = len(next(iter(columns.values())))
        table = pa.table({**columns, "v": rng.integers(1_000, size=rows)})
        files.write(folder, name, table, files.evenly(rows, count))


def _burst(folder: Path, rows: int, count: int) -> None:
    """T asks for S that have hardly any R; in the second third R comes at 20 times its rate.

    It asks for other S then, that have hardly any T.
    """
    rng = np.random.default_rng(SEED)
    calm, burst, s, t = rows // 50, rows * 2 // 5, rows // 8, rows // 3
    rare = calm * RARE
    asked = [rng.integers(calm, size=calm), rare + rng.integers(REPEATED, size=burst)]
    streams = {
        "r": {"a": np.concatenate([*asked, rng.integers(calm, size=calm)])},
        "s": {
            "a": np.concatenate([rng.integers(rare, size=s), rare + rng.integers(REPEATED, size=s)]),
            "b": np.concatenate([rng.integers(REPEATED, size=s), rng.integers(REPEATED * RARE**2, size=s)]),
        },
        "t": {"b": rng.integers(REPEATED, size=t)},
    }
    mixed = rng.permutation(2 * s)
    streams["s"] = {name: values[mixed] for name, values in streams["s"].items()}
    third = count // 3
    for name, columns in streams.items():
        length = len(next(iter(columns.values())))
        table = pa.table({**columns, "v": rng.integers(1_000, size=length)})
        ends = files.evenly(length, count)
        if name == "r":
            ends = files.evenly(calm, third)
            ends += [calm + end for end in files.evenly(burst, third)]
            ends += [calm + burst + end for end in files.evenly(calm, count - 2 * third)]
        files.write(folder, name, table, ends)


def _pair(
    root: Path,
    sizes: CachingSizes,
    name: str,
    title: str,
    query: JoinQuery,
    generate: Generator,
    compared: Sequence[Variant],
    rows: int,
) -> list[JoinWorkload]:
    """The shorter run and the longer one."""

    def workload(name: str, rows: int) -> JoinWorkload:
        def make(out: Path) -> None:
            rng = np.random.default_rng(SEED)
            _write(out, generate(rng, rows), sizes.files, rng)

        folder = cached(root, f"caching-{name}-{rows}-{sizes.files}", make)
        total = sum(1 for file in folder.rglob("*.csv") for _ in file.open())
        return JoinWorkload(
            name,
            title,
            query.streams,
            query.whole,
            query.results,
            folder,
            sizes.files,
            total,
            tuple(compared),
            tree=query.tree,
        )

    return [workload(name + SHORT, int(rows * sizes.short)), workload(name, rows)]


def _point(root: Path, sizes: CachingSizes, point: points.Point) -> JoinWorkload:
    rows = sizes.rows // 2

    def make(out: Path) -> None:
        rng = np.random.default_rng(SEED)
        _write(out, point.streams(rng, rows), sizes.files, rng)

    return JoinWorkload(
        f"point-{point.name}",
        f"4 streams, one key, as at {point.name} of Table 5.2",
        ONE_KEY.streams,
        ONE_KEY.whole,
        ONE_KEY.results,
        cached(root, f"caching-point-{point.name}-{rows}-{sizes.files}", make),
        sizes.files,
        sum(point.rows(rows)),
        variants.PROBED,
    )


def families(root: Path, sizes: CachingSizes) -> Sequence[Family[JoinWorkload]]:
    """One family: everything is generated together."""
    pairs = ("rst", "memory", "chain-4", "rst-unique", "one-key-4")
    ranges = [f"range-{window}" for window in sizes.windows]
    return [
        Family(
            [
                *(name for pair in pairs for name in (pair + SHORT, pair)),
                *(f"point-{point.name}" for point in points.ALL),
                *(name for pair in ranges for name in (pair + SHORT, pair)),
                "burst",
            ],
            partial(workloads, root, sizes),
        )
    ]


def workloads(root: Path, sizes: CachingSizes) -> list[JoinWorkload]:
    """All of them, each after its shorter run."""
    rows = sizes.rows
    unindexed = [
        _pair(
            root,
            sizes,
            f"range-{window}",
            f"R and S joined by a range, {window:,} R",
            RANGE,
            _range(window),
            variants.COMPARED,
            rows // 20,
        )
        for window in sizes.windows
    ]
    batches, burst_rows = 5 * sizes.files, 3 * rows
    burst = cached(
        root, f"caching-burst-thirds-{burst_rows}-{batches}", lambda out: _burst(out, burst_rows, batches)
    )
    return [
        *_pair(
            root,
            sizes,
            "rst",
            "R(A), S(A, B), T(B): few S have an R, T repeats",
            RST,
            _rst(REPEATED),
            variants.COMPARED,
            rows,
        ),
        *_pair(
            root,
            sizes,
            "memory",
            f"the same, {MANY_REPEATED} values of B",
            RST,
            _rst(MANY_REPEATED),
            (*variants.PROBED, *variants.LADDER),
            rows,
        ),
        *_pair(
            root,
            sizes,
            "chain-4",
            "R(A), S(A, B), T(B, C), U(C)",
            CHAIN,
            _chain,
            variants.COMPARED,
            rows,
        ),
        *_pair(
            root,
            sizes,
            "rst-unique",
            "R(A), S(A, B), T(B): nothing repeats",
            RST,
            _unique,
            variants.COMPARED,
            rows,
        ),
        *_pair(
            root,
            sizes,
            "one-key-4",
            "4 streams, one key",
            ONE_KEY,
            _one_key,
            variants.COMPARED,
            rows,
        ),
        *(_point(root, sizes, point) for point in points.ALL),
        *(workload for pair in unindexed for workload in pair),
        JoinWorkload(
            "burst",
            "R(A), S(A, B), T(B): R at 20 times its rate for a third of the time",
            RST.streams,
            RST.whole,
            RST.results,
            burst,
            batches,
            sum(1 for file in burst.rglob("*.csv") for _ in file.open()),
            (*variants.PROBED, *variants.STATIC),
        ),
    ]
