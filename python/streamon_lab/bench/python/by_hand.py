"""The strongest rival: one function of a user's that does all that a filter asks, in a given order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from streamon_lab.bench.python.functions import Call, Kind

Step = tuple[Call, tuple[int, ...]]
"""A vectorised function, and which columns it is called with."""


def in_order(conditions: Sequence[str], columns: Sequence[str], calls: Mapping[str, Call]) -> Call:
    """A function of a row, as one would write it: conditions joined by `and`.

    The conditions are texts that are SQL and Python as well.
    """
    text = f"lambda {', '.join(columns)}: {' and '.join(f'({c})' for c in conditions)}"
    made: Call = eval(text, dict(calls))  # noqa: S307 - texts of the bench's own workloads
    return made


def narrowing(steps: Sequence[Step], kind: Kind) -> Call:
    """A vectorised function that calls each of others with the rows that those before have left."""

    def series(*columns: pd.Series) -> pd.Series:
        left = np.arange(len(columns[0]))
        for call, at in steps:
            if len(left):
                rows = [columns[i] if len(left) == len(columns[i]) else columns[i].iloc[left] for i in at]
                left = left[call(*rows).to_numpy()]
        return pd.Series(_flags(left, len(columns[0])))

    def arrays(*columns: pa.Array) -> pa.Array:
        left = np.arange(len(columns[0]))
        for call, at in steps:
            if len(left):
                rows = [columns[i] if len(left) == len(columns[i]) else columns[i].take(left) for i in at]
                left = left[call(*rows).to_numpy(zero_copy_only=False)]
        return pa.array(_flags(left, len(columns[0])))

    return series if kind is Kind.SERIES else arrays


def _flags(passing: Any, rows: int) -> Any:
    flags = np.zeros(rows, dtype=bool)
    flags[passing] = True
    return flags
