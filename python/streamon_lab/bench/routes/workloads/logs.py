"""Logs of three kinds of rows: six texts each, with a regular expression on each.

How often a text passes depends on the kind of its row. Two other columns come with each row: `kind` says
what kind it is, and `shard` says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.workload import Workload
from streamon_lab.bench.filters.workloads import texts
from streamon_lab.bench.routes import apart

KINDS = ("api", "batch", "device")
COLUMNS = ("p", "q", "r", "s", "t", "u")
SELECTED = ("kind", "shard")
SEED = 17
POOL = 5_000
"""Different texts of a column that pass, and as many that do not: few, so that reading them is cheap."""
SHARDS = 64

Rates = tuple[tuple[float, ...], ...]

THREE: Rates = (
    (0.10, 0.80, 0.90, 0.15, 0.85, 0.95),
    (0.80, 0.90, 0.10, 0.85, 0.95, 0.15),
    (0.90, 0.10, 0.80, 0.95, 0.15, 0.85),
)
"""Each kind has two conjuncts that drop nearly all of it. On average all of a triple drop the same."""
TURNED: Rates = (*THREE[1:], THREE[0])
"""The averages stay, and each kind has the order of another."""
ONE: Rates = ((0.60, 0.30, 0.90, 0.45, 0.75, 0.15),)


@dataclass(frozen=True)
class Phase:
    """A share of the rows of each file, with pass rates for each kind, or once for all rows."""

    name: str
    share: float
    rates: Rates

    @property
    def segments(self) -> list[str]:
        """Names for what has one best order."""
        return [f"{self.name}-{kind}" for kind in KINDS] if len(self.rates) > 1 else [self.name]


@dataclass(frozen=True)
class Logs:
    """What a workload's rows are, from the first of a file to the last."""

    name: str
    title: str
    phases: tuple[Phase, ...]

    def workload(self, root: Path, rows: int) -> Workload:
        """The workload over files under a folder, which are made if they are not there."""
        folder = cached(root, f"routes-{self.name}-{rows}", lambda out: self.generate(out, rows))
        segments = [folder / name for phase in self.phases for name in phase.segments]
        return Workload(
            self.name,
            self.title,
            tuple(texts.predicate(c) for c in COLUMNS),
            folder / apart.WHOLE,
            segments=tuple(segments),
            conf=apart.CONF,
            columns=COLUMNS,
            selected=SELECTED,
        )

    def generate(self, folder: Path, rows: int) -> None:
        """Writes the files."""
        keys = texts.pool(np.random.default_rng(SEED))
        for file in range(apart.FILES):
            rng = np.random.default_rng([SEED, file])
            apart.write(folder, file, self._parts(rng, keys, rows // apart.FILES))

    def _parts(self, rng: np.random.Generator, keys: pa.Array, rows: int) -> Iterator[apart.Part]:
        pools = [
            pa.concat_arrays([texts.draw(rng, keys, POOL, rate) for rate in (1.0, 0.0)]) for _ in COLUMNS
        ]
        for phase in self.phases:
            count = round(rows * phase.share)
            kind = rng.integers(len(KINDS), size=count)
            segment = kind if len(phase.rates) > 1 else np.zeros(count, dtype=int)
            rates = np.array(phase.rates)[segment]
            table = {
                "kind": pa.DictionaryArray.from_arrays(pa.array(kind), pa.array(KINDS)),
                "shard": pa.array(rng.integers(SHARDS, size=count, dtype=np.int32)),
            }
            for i, column in enumerate(COLUMNS):
                fails = rng.random(count) >= rates[:, i]
                index = rng.integers(POOL, size=count) + np.where(fails, POOL, 0)
                table[column] = pa.DictionaryArray.from_arrays(pa.array(index), pools[i])
            yield pa.table(table), phase.segments, segment


THREE_KINDS = Logs(
    "three-kinds",
    "a log of three kinds of rows, six RLIKEs whose best orders differ by kind",
    (Phase("all", 1.0, THREE),),
)
ONE_KIND = Logs(
    "one-kind",
    "the same with one best order for all rows (control)",
    (Phase("all", 1.0, ONE),),
)
DRIFT = Logs(
    "drift",
    "three kinds that change their best orders half-way, and are one kind in the last quarter",
    (Phase("first", 0.5, THREE), Phase("then", 0.25, TURNED), Phase("last", 0.25, ONE)),
)
