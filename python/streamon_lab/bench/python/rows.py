"""Functions of users' that are called for each row of a log. Workers import this module."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

_TIMEOUT = re.compile(r"shard=\d+ .*(cart|login|search|stock) timed out after \d+ ms")
_STATE = re.compile(r"st\d")
_TIME = "%Y-%m-%dT%H:%M:%S"
WEIGHTS = (0.9, -0.4, 0.7, 0.2, -0.6, 0.5, 0.3, -0.1)


def is_timeout(body: str) -> bool:
    """A regular expression."""
    return _TIMEOUT.search(body) is not None


def is_paid(context: str) -> bool:
    """A JSON document."""
    return bool(json.loads(context)["user"]["plan"] != "free")


def score(features: str) -> float:
    """A weighted sum of numbers in a text."""
    total = 0.0
    for weight, value in zip(WEIGHTS, features.split(","), strict=True):
        total += weight * float(value)
    return total


def is_slow(span: str) -> bool:
    """Two points in time in a text."""
    begin, end = span.split("/")
    return datetime.strptime(end, _TIME) - datetime.strptime(begin, _TIME) >= timedelta(seconds=1)


def is_settled(entry: str) -> bool:
    """Pairs of keys and values in a text, as `k=1f;v=2e;st7`."""
    key, value, state = entry.split(";")
    numbers = [int(pair.partition("=")[2], 16) for pair in (key, value)]
    return min(numbers) >= 0 and _STATE.fullmatch(state) is not None


def is_big(number: int) -> bool:
    """Next to nothing."""
    return number >= 50_000
