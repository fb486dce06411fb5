"""A way to run a workload of filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamon_lab.bench.filters.workload import Order, Workload


@dataclass(frozen=True)
class Variant:
    """A way to run a workload: its text and settings.

    `written` is the order of its conjuncts if it is adaptive. A variant that is `sparse` runs every
    other round.
    """

    name: str
    query: str
    conf: Mapping[str, str] = field(default_factory=dict)
    written: Order | None = None
    sparse: bool = False


def stock(name: str, workload: Workload, order: Order, off: Mapping[str, str]) -> Variant:
    """Stock Spark with the conjuncts in an order; `off` are the settings by which it is stock Spark."""
    return Variant(name, workload.query(order), {**workload.conf, **off})
