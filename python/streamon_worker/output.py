"""The stream on which answers go to the JVM."""

from __future__ import annotations

import sys
from collections.abc import Callable


def flush() -> Callable[[], None]:
    """Sends what has been written so far. To be asked for in a generator whose values Spark writes.

    Spark's worker sends 64 KB at a time, and an answer is small where few rows pass: the JVM would learn of
    the first batches when the last are on their way. Where the stream is not found, so be it.
    """
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_name == "dump_stream" and "stream" in frame.f_locals:
            found: Callable[[], None] = frame.f_locals["stream"].flush
            return found
    return lambda: None
