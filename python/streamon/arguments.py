"""What a function says of an argument that it does not accept."""

from __future__ import annotations

from collections.abc import Sequence

from streamon.errors import ArgumentError


def wrong(call: str, accepted: str, given: object) -> ArgumentError:
    """The error for an argument of a wrong type.

    Args:
        call: the function as a user writes it, such as `streamon.configure`.
        accepted: what it accepts, with an article, such as `a session builder`.
        given: the argument that it got.
    """
    if isinstance(given, type):
        got = f"the class {given.__name__}"
    elif given is None or isinstance(given, bool | int | float | str):
        got = repr(given)
    else:
        got = f"an object of type {type(given).__name__}"
    return ArgumentError(f"{call} accepts {accepted}, not {got}.")


def shortened(names: Sequence[str], most: int = 10) -> str:
    """Names as a message lists them: the first ones, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
