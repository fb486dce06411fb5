"""The rows of several batches as those of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from .rows import Column, Rows


class Joined:
    """What vectorised functions read of several batches, whose columns have the same types, to pandas too."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self._parts = parts
        self.size = sum(part.size for part in parts)

    def arrow(self, name: Column) -> pa.Array:
        """As that of `Rows`."""
        return pa.concat_arrays([part.arrow(name) for part in self._parts])

    def series(self, name: Column, convert: Callable[[pa.Array], Any]) -> Any:
        """As that of `Rows`."""
        if not self._parts[0].changes_with_nulls(name):
            return convert(self.arrow(name))
        import pandas as pd

        return pd.concat([part.series(name, convert) for part in self._parts], ignore_index=True)

    def apart(self, results: pa.Array) -> list[pa.Array]:
        """Results on these rows, by batch."""
        found, begin = [], 0
        for part in self._parts:
            # A copy, so that it begins where its memory does, as arrays from Spark do.
            found.append(pa.concat_arrays([results.slice(begin, part.size)]))
            begin += part.size
        return found
