"""The loop of a live view: look, show, wait, until the query or the view ends."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic, sleep
from types import FrameType
from typing import Any

from pyspark.sql.streaming.query import StreamingQuery

from streamon import jvm, scope
from streamon.arguments import wrong
from streamon.live_view import screens
from streamon.live_view.reading import read
from streamon.live_view.snapshot import Snapshot


def live(
    query: StreamingQuery, *, refresh: float = 1.0, batches: int | None = None, seconds: float | None = None
) -> None:
    """Show a running streaming query until it ends, in this terminal or notebook.

    The view has the rates of the latest micro-batch, the state of stateful operators, the present order of
    each adaptive filter and each pipeline of an MJoin with the share of rows that each step drops, the latest
    decisions, the caches in use, and rows that constraints evict or would. Without rich, or where the
    output is no terminal, it is printed as text, once for each micro-batch.

    Ctrl-C, or the interrupt of a notebook's kernel, ends the view. The query goes on.

    >>> streamon.live(query)  # doctest: +SKIP

    Args:
        query: a streaming query of a classic session or of a Spark Connect client.
        refresh: seconds between two looks, above 0.
        batches: end the view when so many micro-batches have ended since it began.
        seconds: end the view after so many seconds; with 0, after one look.

    Raises:
        ArgumentError: `query` is not a streaming query, or a number is none or too small.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: its Spark is not one that StreaMon, or its jar, is built for.
        VersionMismatchError: the jar in the session's JVM is of another version than this package.
    """
    if not scope.is_query(query):
        raise wrong("streamon.live", "a streaming query, such as df.writeStream.start() returns", query)
    if not _is_finite(refresh) or refresh <= 0:
        raise wrong("streamon.live", "refresh as seconds above 0", refresh)
    if seconds is not None and (not _is_finite(seconds) or seconds < 0):
        raise wrong("streamon.live", "seconds as a number from 0 on", seconds)
    if batches is not None and (not isinstance(batches, int) or isinstance(batches, bool) or batches < 1):
        raise wrong("streamon.live", "batches as a whole number from 1 on", batches)
    jvm.check_session(scope.session_of(query))
    with Interrupts() as interrupts, screens.screen() as show:
        watch(
            lambda previous: read(query, previous),
            show,
            lambda: interrupts.wait(refresh),
            batches=batches,
            seconds=seconds,
        )


def _is_finite(number: object) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and math.isfinite(number)


def watch(
    look: Callable[[Snapshot | None], Snapshot],
    show: screens.Show,
    wait: Callable[[], None],
    *,
    batches: int | None = None,
    seconds: float | None = None,
    clock: Callable[[], float] = monotonic,
) -> None:
    """Look and show until the query ends, `wait` is interrupted, or a limit is reached.

    Args:
        look: takes the snapshot before, if there is one, and returns the next.
        show: shows a snapshot.
        wait: what comes between two looks. A KeyboardInterrupt from it ends the view.
        batches: the limit in micro-batches that end while this watches.
        seconds: the limit in seconds of the clock.
        clock: seconds, from any beginning.
    """
    began = clock()
    previous: Snapshot | None = None
    ended = 0
    try:
        while True:
            snapshot = look(previous)
            show(snapshot)
            if previous is not None:
                ended += _batches_between(previous, snapshot)
            if not snapshot.active or (batches is not None and ended >= batches):
                return
            if seconds is not None and clock() - began >= seconds:
                return
            previous = snapshot
            wait()
    except KeyboardInterrupt:
        return


def _batches_between(one: Snapshot, other: Snapshot) -> int:
    """The micro-batches that ended between two looks."""
    if one.batch is None or other.batch is None:
        return 0 if other.batch is None else 1
    return other.batch.number - one.batch.number


class Interrupts(AbstractContextManager["Interrupts"]):
    """Takes Ctrl-C while a view is shown.

    PySpark's own handler cancels all jobs first, which makes a running query fail. And an interrupt in the
    middle of a call to the JVM may lose its answer: the first one waits until the look has ended, a second
    one does not.
    """

    def __init__(self) -> None:
        self._asked = False
        self._waiting = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def wait(self, seconds: float) -> None:
        """Sleep.

        Raises:
            KeyboardInterrupt: there was an interrupt, or there is one now.
        """
        self._waiting = True
        try:
            if self._asked:
                raise KeyboardInterrupt
            sleep(seconds)
        finally:
            self._waiting = False

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        if self._waiting or self._asked:
            raise KeyboardInterrupt
        self._asked = True
