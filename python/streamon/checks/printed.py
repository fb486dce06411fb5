"""Plans as `explain` prints them, which classic sessions and Spark Connect have."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout


def printed(explain: Callable[[], None]) -> str:
    """What `explain` of a frame or a query prints."""
    with redirect_stdout(io.StringIO()) as output:
        explain()
    return output.getvalue()
