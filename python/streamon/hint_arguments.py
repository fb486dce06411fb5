"""The arguments of the typed hint functions: what Python checks of them, and their text in the hint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyspark.sql import DataFrame

from streamon.errors import ArgumentError

Option = str | int | float | bool | None
"""What an option may be; None when it is not given."""


def the_frame(function: str, df: object) -> DataFrame:
    """The frame, or a sentence that says what was given instead."""
    if not isinstance(df, DataFrame):
        raise ArgumentError(
            f"streamon.{function} takes a DataFrame as its first argument, not {kind_of(df)}."
        )
    return df


def names_of(function: str, what: str, given: Iterable[str]) -> list[str]:
    """The names, when all are text."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentError(f"streamon.{function} takes {what} as several names, not {kind_of(given)}.")
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            raise ArgumentError(f"streamon.{function} takes {what} by name, as text, not {kind_of(name)}.")
    return names


def window_of(
    function: str, interval: str | None, rows: int | None, groups: str | Sequence[str] | None
) -> str:
    """The text of a window, such as `RANGE 10 MINUTES` or `PARTITION BY cid ROWS 4`."""
    if (interval is None) == (rows is None):
        given = "neither" if rows is None else "both"
        raise ArgumentError(f"streamon.{function} takes either range or rows, and {given} was given.")
    if interval is not None:
        if not isinstance(interval, str):
            raise ArgumentError(
                f"streamon.{function} takes range as text, such as '10 MINUTES', not {kind_of(interval)}."
            )
        if groups is not None:
            raise ArgumentError(f"streamon.{function} takes partition_by with rows, not with range.")
        return f"RANGE {interval}"
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise ArgumentError(f"streamon.{function} takes rows as a whole number from 1 on, not {rows!r}.")
    if groups is None:
        return f"ROWS {rows}"
    columns = names_of(function, "partition_by", [groups] if isinstance(groups, str) else groups)
    if not columns:
        raise ArgumentError(f"streamon.{function} takes one column or more as partition_by, not none.")
    return f"PARTITION BY {', '.join(columns)} ROWS {rows}"


def kind_of(value: object) -> str:
    """What a message says of a value that is not accepted."""
    return "None" if value is None else f"a value of type {type(value).__name__}"


def texts_of(options: dict[str, Option]) -> list[str]:
    """The options that are given, as the hint takes them."""
    given = {name: value for name, value in options.items() if value is not None}
    return [f"{name}={_text(value)}" for name, value in given.items()]


def _text(value: Option) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
