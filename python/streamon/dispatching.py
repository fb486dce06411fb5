"""`dispatch`: one query that sends the rows of each rule to a sink of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from streamon.arguments import shortened, wrong
from streamon.errors import ArgumentError, SinkError
from streamon.hint_arguments import require_frame
from streamon.matching import match
from streamon.sinks import Target


def dispatch(
    stream: DataFrame,
    rules: Mapping[str, str] | DataFrame,
    sinks: Mapping[str, Target],
    *,
    default: Target | None = None,
    checkpoint: str | None = None,
    name: str | None = None,
    trigger: Mapping[str, Any] | None = None,
    output_mode: str = "append",
) -> StreamingQuery:
    """Start one query that sends the rows of each rule to the rule's sink.

    Each row is matched once with all rules. A row goes to the sinks of all rules that hold. Each sink gets
    the rows of a micro-batch at least once: when the query fails, the micro-batch is run again with the same
    rules, and sinks that had its rows get them again. A function can tell by the number of the micro-batch.

    >>> rules = {"late": "dep_delay > 60", "short": "distance < 200"}
    >>> sinks = {"late": streamon.Sink(table="late"), "short": lambda frame, batch_id: ...}
    >>> query = streamon.dispatch(flights, rules, sinks, checkpoint="...")  # doctest: +SKIP

    Args:
        stream: a streaming frame.
        rules: as for `match`. They may change while the query runs: see `streamon.rules`.
        sinks: by the names of rules: a `Sink`, or a function that is called with a frame and the number of
            the micro-batch. The frame has the columns of the stream. In a micro-batch without rows for a
            rule its sink is not called. Names without a rule are for rules that come later.
        default: the sink for the rules without one of their own. The frame has also a column `rule`. If there
            is none, and such a rule comes while the query runs and holds for a row, the query stops.
        checkpoint: the folder of the checkpoint. None for the folder that the session's setting
            `spark.sql.streaming.checkpointLocation` names. With neither, a query that is started again
            begins anew.
        name: the name of the query.
        trigger: keywords of `DataStreamWriter.trigger`, such as `{"availableNow": True}`.
        output_mode: `append`, `update` or `complete`, as for `DataStreamWriter.outputMode`.

    Returns:
        The query, which runs. When a sink fails, it stops with a `SinkError` in its message. Over Spark
        Connect the server calls the sinks, so its Python needs this package.

    Raises:
        ArgumentError: an argument has another type, the frame is no stream, or a rule has no sink.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
        pyspark.errors.AnalysisException: a rule is not valid. The message names it. With a table of rules,
            the query raises it in its first micro-batch.
    """
    if not require_frame("dispatch", stream).isStreaming:
        raise ArgumentError(
            "streamon.dispatch accepts a stream. For other frames, write what streamon.match returns."
        )
    _check_sinks(sinks, default)
    if trigger is not None and not isinstance(trigger, Mapping):
        raise wrong("streamon.dispatch", "keywords as trigger, such as {'availableNow': True}", trigger)
    matched = match(stream, rules, output="exploded")
    if default is None:
        _check_names(rules, sinks)
    writer = matched.writeStream.outputMode(output_mode).foreachBatch(_Sender(dict(sinks), default))
    if checkpoint is not None:
        writer = writer.option("checkpointLocation", checkpoint)
    if name is not None:
        writer = writer.queryName(name)
    if trigger is not None:
        writer = writer.trigger(**trigger)
    return writer.start()


def _check_sinks(sinks: Mapping[str, Target], default: Target | None) -> None:
    if not isinstance(sinks, Mapping):
        raise wrong("streamon.dispatch", "a dict of sinks by the names of rules", sinks)
    for rule, sink in sinks.items():
        if not _is_sink(sink):
            raise wrong("streamon.dispatch", f"a streamon.Sink or a function for the rule {rule!r}", sink)
    if default is not None and not _is_sink(default):
        raise wrong("streamon.dispatch", "a streamon.Sink or a function as default", default)


def _is_sink(thing: object) -> bool:
    return callable(thing) and not isinstance(thing, type)


def _check_names(rules: Mapping[str, str] | DataFrame, sinks: Mapping[str, Target]) -> None:
    # A rule without a name is refused by the query.
    names = (
        [row.rule for row in rules.selectExpr("rule AS rule").collect() if row.rule is not None]
        if isinstance(rules, DataFrame)
        else list(rules)
    )
    missing = sorted(set(names) - set(sinks))
    if missing:
        raise ArgumentError(
            f"streamon.dispatch: no sink for {shortened(missing)}. Give each rule a sink, or give a default."
        )


class _Sender:
    """Sends the rows of a micro-batch to the sinks."""

    def __init__(self, sinks: dict[str, Target], default: Target | None) -> None:
        self._sinks = sinks
        self._default = default

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        # Sorted, a part of the cache that does not have a rule is skipped.
        kept = batch.sortWithinPartitions("rule").persist()
        try:
            self._send(kept, batch_id)
        finally:
            kept.unpersist()

    def _send(self, batch: DataFrame, batch_id: int) -> None:
        found = sorted(batch.selectExpr("collect_set(rule) AS rules").collect()[0].rules)
        own = [rule for rule in found if rule in self._sinks]
        others = [rule for rule in found if rule not in self._sinks]
        if others and self._default is None:
            raise SinkError(
                f"No sink for the rules {shortened(others)}, which came while the query ran. Start the query "
                "again with a sink for each, or with a default."
            )
        for rule in own:
            rows = batch.where(batch["rule"] == rule).drop("rule")
            _call(self._sinks[rule], rows, batch_id, f"of the rule {rule!r}")
        if others and self._default is not None:
            rows = batch.where(~batch["rule"].isin(own)) if own else batch
            _call(self._default, rows, batch_id, f"for the rules {shortened(others)}")


def _call(sink: Target, rows: DataFrame, batch_id: int, of: str) -> None:
    try:
        sink(rows, batch_id)
    except Exception as error:
        raise SinkError(f"The sink {of} failed in micro-batch {batch_id}: {error}") from error
