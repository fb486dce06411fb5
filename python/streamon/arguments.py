"""What a function says of an argument that it does not accept."""

from __future__ import annotations

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
