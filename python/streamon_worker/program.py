"""The filter of a task: evaluates its predicates in the order that the JVM asks for.

A batch comes with two columns before the arguments. `control` has the order in its first row. `mark` is true
where a row is sampled that the JVM has dropped already, false where another one is sampled, and else NULL.
For each batch that comes one goes back. Its first row has a report, the others are the rows that pass: their
numbers in the task, and the values of functions that the query reads elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter_ns, thread_time_ns
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, StructType, _parse_datatype_json_string
from pyspark.worker import RunnerConf

from . import functions, output
from .batch import Batch
from .conditions import Condition, condition
from .profile import Profile
from .rows import Kept, Rows


@dataclass(frozen=True)
class Step:
    """A function, and what is asked of its results.

    Attributes:
        function: it, with its arguments.
        condition: what is asked; none where only its values are needed.
        value: of which type its values go back; none where nothing reads them.
        level: Spark calls functions of a level for rows that pass the conditions of the levels before.
    """

    function: functions.Function
    condition: Condition | None
    value: pa.DataType | None
    level: int


class Filter:
    """A filter of one task."""

    def __init__(self, spec: dict[str, Any], commands: list[bytes]) -> None:
        conf = RunnerConf()
        conf._conf = spec["conf"]
        self._steps = [_step(step, commands, conf) for step in spec["steps"]]
        self._tested = [q for q, step in enumerate(self._steps) if step.condition is not None]
        self._values = [q for q, step in enumerate(self._steps) if step.value is not None]
        self._converters = [
            ArrowTableToRowsConversion._create_converter(
                field.dataType, none_on_identity=True, binary_as_bytes=conf.binary_as_bytes
            )
            for field in cast("StructType", _parse_datatype_json_string(spec["arguments"]))
        ]
        values = [(_value(q), self._steps[q].value) for q in self._values]
        self._schema = pa.schema([("number", pa.int64()), ("report", pa.string()), *values])
        self._seen = 0
        self._positions = pa.array([], pa.int64())

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Filters the batches of a partition."""
        send = output.flush()
        answered = thread_time_ns()
        for number, each in enumerate(batches):
            trip_nanos = thread_time_ns() - answered
            answer = self._filter(Batch(each, number), trip_nanos)
            answered = thread_time_ns()
            yield answer
            send()
            self._seen += each.num_rows

    def _filter(self, batch: Batch, trip_nanos: int) -> pa.RecordBatch:
        profile = Profile(len(self._tested), batch.size, batch.sample, batch.dropped)
        rows = self._standing(batch)
        try:
            self._in_order(rows, batch.order, profile)
        except (GeneratorExit, KeyboardInterrupt):
            raise
        except BaseException:
            raised = profile.raised
            rows, profile = self._standing(batch), Profile(len(self._tested), batch.size)
            profile.raised = raised
            if batch.behind:
                # Spark calls no function for a row that the JVM would drop: it is asked first.
                profile.unresolved = True
                rows.keep(Kept(pa.array([], pa.int64())))
            else:
                # Spark calls all functions on all rows of a level: what that raises, stands.
                self._as_written(rows, profile)
        else:
            self._complete(self._rows(batch), batch.order, profile)
        return self._answer(rows, profile, trip_nanos)

    def _rows(self, batch: Batch) -> Rows:
        rows = Rows(batch.columns, self._converters, batch.size)
        if len(self._positions) < batch.size:
            self._positions = pa.array(range(batch.size), pa.int64())
        rows.add("position", self._positions.slice(0, batch.size))
        return rows

    def _standing(self, batch: Batch) -> Rows:
        rows = self._rows(batch)
        if batch.dropped:
            rows.keep(Kept(pa.array(batch.standing, pa.int64())))
        return rows

    def _in_order(self, rows: Rows, order: list[int], profile: Profile) -> None:
        for position, q in enumerate(order):
            profile.raised = q
            kept = self._evaluate(q, rows, profile)
            if kept is not None:
                profile.drop(position, q, kept)
                rows.keep(kept)
        profile.raised = None
        for step_number, step in enumerate(self._steps):
            if step.condition is None and rows.size:
                rows.add(_value(step_number), step.function.evaluate(rows))

    def _evaluate(self, q: int, rows: Rows, profile: Profile) -> Kept | None:
        """Which rows pass a predicate; none where all do."""
        if rows.size == 0:
            return None
        step = self._steps[self._tested[q]]
        started = perf_counter_ns()
        results = step.function.evaluate(rows)
        if step.value is not None:
            rows.add(_value(self._tested[q]), results)
        kept = _passing(step, results)
        profile.evaluated(q, rows.size, rows.size - len(kept), perf_counter_ns() - started)
        return kept if len(kept) < rows.size else None

    def _complete(self, whole: Rows, order: list[int], profile: Profile) -> None:
        """Evaluates sampled rows that were dropped by what is behind as well."""
        started = perf_counter_ns()
        for position, q in enumerate(order):
            dropped = profile.dropped_before(position)
            if not dropped:
                continue
            step = self._steps[self._tested[q]]
            begun = perf_counter_ns()
            try:
                passing = _passing(step, step.function.evaluate(whole.at(dropped)))
            except (GeneratorExit, KeyboardInterrupt):
                raise
            except BaseException:
                profile.forget(dropped)
            else:
                profile.artificially(q, dropped, passing.list, perf_counter_ns() - begun)
        profile.extra_nanos = perf_counter_ns() - started

    def _as_written(self, rows: Rows, profile: Profile) -> None:
        """As Spark: all functions of a level on all rows that pass the conditions of the levels before."""
        profile.reevaluated = rows.size
        for level in sorted({step.level for step in self._steps}):
            passes = None
            left = rows.size
            for number, step in enumerate(self._steps):
                if step.level != level or not rows.size:
                    continue
                results = step.function.evaluate(rows)
                if step.value is not None:
                    rows.add(_value(number), results)
                if step.condition is not None:
                    passing = step.condition(results).fill_null(False)
                    passes = passing if passes is None else pc.and_(passes, passing)
                    now = pc.sum(passes).as_py()
                    profile.evaluated(self._tested.index(number), rows.size, left - now, 0)
                    left = now
            if passes is not None:
                rows.keep(Kept(pc.indices_nonzero(passes)))

    def _answer(self, rows: Rows, profile: Profile, trip_nanos: int) -> pa.RecordBatch:
        report = profile.report(trip_nanos)
        numbers = pc.add(rows.arrow("position"), self._seen)
        columns = [
            pa.concat_arrays([pa.array([-1], pa.int64()), numbers]),
            pa.concat_arrays([pa.array([report]), pa.nulls(rows.size, pa.string())]),
        ]
        for q in self._values:
            kind = self._steps[q].value
            # A function is not called on no rows.
            values = rows.arrow(_value(q)) if rows.size else pa.nulls(0, kind)
            columns.append(pa.concat_arrays([pa.nulls(1, kind), values.cast(kind)]))
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)


def program(spec: str, commands: list[bytes]) -> Filter:
    """The filter of a task, from its description and the pickled functions of the user."""
    return Filter(json.loads(spec), commands)


def _step(spec: dict[str, Any], commands: list[bytes], conf: RunnerConf) -> Step:
    offsets = [a["offset"] for a in spec["arguments"] if "name" not in a]
    names = {a["name"]: a["offset"] for a in spec["arguments"] if "name" in a}
    function = functions.read(spec["kind"], [commands[c] for c in spec["commands"]], offsets, names, conf)
    tree = spec.get("condition")
    value = _arrow_type(_parse_datatype_json_string(spec["type"]), conf) if spec["needed"] else None
    return Step(function, None if tree is None else condition(tree), value, spec["level"])


def _arrow_type(declared: DataType, conf: RunnerConf) -> pa.DataType:
    return to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)


def _value(step: int) -> str:
    return f"value {step}"


def _passing(step: Step, results: pa.Array) -> Kept:
    assert step.condition is not None  # noqa: S101
    return Kept(pc.indices_nonzero(step.condition(results)))
