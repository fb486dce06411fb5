"""Vectorised functions of users', with NumPy, regular expressions and scikit-learn.

Workers import this module. Functions with a model are made for it, and take it along to the workers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

Vectorised = Callable[..., Any]
Numbers = npt.NDArray[np.float64]

TIMEOUT = r"upstream (?:\w+) timed out after \d+ ms"
LIKELY = 0.5
EARTH_KM = 6371.0
CENTRE = (48.0, 11.0)
KM = 2_000.0


def kilometres(lat: Numbers, lon: Numbers) -> Numbers:
    """Distances to a point, by the haversine formula."""
    p, q = np.radians(lat), np.radians(CENTRE[0])
    half = np.sin((p - q) / 2) ** 2
    half += np.cos(p) * np.cos(q) * np.sin(np.radians(lon - CENTRE[1]) / 2) ** 2
    found: Numbers = 2 * EARTH_KM * np.arcsin(np.sqrt(half))
    return found


def near_series(lat: pd.Series, lon: pd.Series) -> pd.Series:
    """Whether a place is near."""
    return pd.Series(kilometres(lat.to_numpy(), lon.to_numpy()) < KM)


def near_arrays(lat: pa.Array, lon: pa.Array) -> pa.Array:
    """The same of arrays."""
    return pa.array(kilometres(lat.to_numpy(), lon.to_numpy()) < KM)


def timeout_series(body: pd.Series) -> pd.Series:
    """Whether a text is of a time-out."""
    return body.str.contains(TIMEOUT)


def timeout_arrays(body: pa.Array) -> pa.Array:
    """The same of an array."""
    return pc.match_substring_regex(body, TIMEOUT)


def boeing_series(txt: pd.Series) -> pd.Series:
    """Whether the line of a flight has a twin-engined Boeing of some size."""
    return txt.str.contains(re.compile(r"BOEING.*7[3-8]7-[0-9]+.*Turbo-fan"))


def seats_series(js: pd.Series) -> pd.Series:
    """Whether a flight's document has more than 140 seats."""
    return js.map(lambda text: (json.loads(text)["plane"]["seats"] or 0) > 140)


def likely_series(model: Any) -> Vectorised:
    """Whether something is likely by a model."""

    def likely(*columns: pd.Series) -> pd.Series:
        inputs = np.column_stack([c.to_numpy(dtype=np.float64) for c in columns])
        return pd.Series(model.predict_proba(inputs)[:, 1] > LIKELY)

    return likely


def likely_arrays(model: Any) -> Vectorised:
    """The same of arrays."""

    def likely(*columns: pa.Array) -> pa.Array:
        inputs = np.column_stack([c.to_numpy() for c in columns])
        return pa.array(model.predict_proba(inputs)[:, 1] > LIKELY)

    return likely
