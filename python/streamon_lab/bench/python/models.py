"""The models of scikit-learn that vectorised functions ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

SEED = 29
FLIGHTS = 20_000
"""Flights of the first year that a model is fitted to."""
FIRST_YEAR = 2013
LATE = 15
"""Minutes."""

SIGNALS = ("cpu", "memory", "queue", "errors")
INPUTS = ("dep_delay", "distance", "sched_dep_time", "month")


def risk() -> Any:
    """A logistic regression on squares and products of signals that are between 0 and 1."""
    rng = np.random.default_rng(SEED)
    inputs = rng.random((5_000, len(SIGNALS)))
    labels = inputs[:, 0] * inputs[:, 2] + 0.3 * inputs[:, 3] + 0.1 * rng.normal(size=len(inputs)) > 0.5
    model = make_pipeline(PolynomialFeatures(3), StandardScaler(), LogisticRegression(max_iter=500))
    return model.fit(inputs, labels)


def lateness(flights: Path) -> Any:
    """Boosted trees for flights that come late, fitted to some of the first year.

    It is the same however often the year is repeated.
    """
    columns = [*INPUTS, "arr_delay"]
    table = pq.read_table(flights, columns=columns, filters=[("year", "=", FIRST_YEAR)]).drop_null()
    rows = np.random.default_rng(SEED).choice(len(table), size=FLIGHTS, replace=False)
    frame = table.take(np.sort(rows)).to_pandas()
    model = HistGradientBoostingClassifier(max_iter=40, random_state=SEED)
    return model.fit(frame[list(INPUTS)].to_numpy(dtype=np.float64), frame["arr_delay"] > LATE)
