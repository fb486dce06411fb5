"""The arguments of the typed hint functions: what Python checks of them, and their text in the hint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyspark.sql import DataFrame

from streamon.arguments import wrong
from streamon.errors import ArgumentError

Option = str | int | float | bool | None
"""What an option may be; None when it is not given."""


def require_frame(function: str, df: object) -> DataFrame:
    """The frame, or a sentence that says what was given instead."""
    if not isinstance(df, DataFrame):
        raise wrong(f"streamon.{function}", "a DataFrame as its first argument", df)
    return df


def names_of(function: str, what: str, given: Iterable[str]) -> list[str]:
    """The names, when all are text."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise wrong(f"streamon.{function}", f"{what} as several names", given)
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            raise wrong(f"streamon.{function}", f"{what} by name, as text", name)
    return names


def window_of(
    function: str, interval: str | None, rows: int | None, groups: str | Sequence[str] | None
) -> str:
    """The text of a window, such as `RANGE 10 MINUTES` or `PARTITION BY cid ROWS 4`."""
    if (interval is None) == (rows is None):
        given = "neither" if rows is None else "both"
        raise ArgumentError(f"streamon.{function} accepts either range or rows, and {given} was given.")
    if interval is not None:
        if not isinstance(interval, str):
            raise wrong(f"streamon.{function}", "range as text, such as '10 MINUTES'", interval)
        if groups is not None:
            raise ArgumentError(f"streamon.{function} accepts partition_by with rows, not with range.")
        return f"RANGE {interval}"
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise wrong(f"streamon.{function}", "rows as a whole number from 1 on", rows)
    if groups is None:
        return f"ROWS {rows}"
    columns = names_of(function, "partition_by", [groups] if isinstance(groups, str) else groups)
    if not columns:
        raise ArgumentError(f"streamon.{function} accepts one column or more as partition_by, not none.")
    return f"PARTITION BY {', '.join(columns)} ROWS {rows}"


def texts_of(options: dict[str, Option]) -> list[str]:
    """The options that are given, as the hint takes them."""
    given = {name: value for name, value in options.items() if value is not None}
    return [f"{name}={_text(value)}" for name, value in given.items()]


def _text(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
