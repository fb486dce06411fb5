"""The filter of a task: evaluates its predicates in the order that the JVM asks for.

A batch comes with a column `control` before the arguments. It is null but where the order changes. For each
batch that comes one goes back. Its first row has a report, the others are the rows that pass: their numbers
in the task, and the values of functions that the query reads elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, StructType, _parse_datatype_json_string
from pyspark.worker import RunnerConf

from . import functions
from .conditions import Condition, condition
from .profile import Profile, Sampler
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


class Order:
    """The order that rows follow, and the share of them that is profiled."""

    def __init__(self, steps: int) -> None:
        self.version = -1
        self.steps = list(range(steps))
        self.sampler = Sampler(0.0)

    def read(self, control: pa.Array) -> None:
        """Takes what a batch says, if it says anything."""
        if control.null_count < len(control):
            told = json.loads(control.drop_null()[-1].as_py())
            self.version, self.steps = told["version"], told["order"]
            self.sampler = Sampler(told["sample"])


class Filter:
    """A filter of one task."""

    def __init__(self, spec: dict[str, Any], commands: list[bytes]) -> None:
        conf = RunnerConf(spec["conf"])
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
        self._order = Order(len(self._tested))
        self._seen = 0

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Filters the batches of a partition."""
        for batch in batches:
            self._order.read(batch.column(0))
            yield self._filter(batch)
            self._seen += batch.num_rows

    def _filter(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        profile = Profile(len(self._tested), batch.num_rows)
        try:
            rows = self._in_order(batch, profile)
        except Exception:
            # Spark calls all functions on all rows: what that raises, stands.
            profile = Profile(len(self._tested), batch.num_rows)
            rows = self._as_written(self._rows(batch), profile)
        return self._answer(rows, profile)

    def _rows(self, batch: pa.RecordBatch) -> Rows:
        rows = Rows(batch.columns[1:], self._converters, batch.num_rows)
        rows.add("number", pc.add(_count(batch.num_rows), self._seen))
        return rows

    def _in_order(self, batch: pa.RecordBatch, profile: Profile) -> Rows:
        rows = self._rows(batch)
        profile.trace(self._order.sampler.draw(rows.size))
        for position, q in enumerate(self._order.steps):
            kept = self._evaluate(q, rows, profile)
            if kept is not None:
                profile.drop(position, kept)
                rows.keep(kept)
        self._complete(self._rows(batch), profile)
        for q, step in enumerate(self._steps):
            if step.condition is None and rows.size:
                rows.add(_value(q), step.function.evaluate(rows))
        return rows

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
        profile.evaluated(q, rows.size, len(kept), perf_counter_ns() - started)
        return kept if len(kept) < rows.size else None

    def _complete(self, whole: Rows, profile: Profile) -> None:
        """Evaluates sampled rows that were dropped by what is behind as well."""
        started = perf_counter_ns()
        for position, q in enumerate(self._order.steps):
            dropped = profile.dropped_before(position)
            if dropped:
                step = self._steps[self._tested[q]]
                begun = perf_counter_ns()
                passing = _passing(step, step.function.evaluate(whole.at(pa.array(dropped, pa.int64()))))
                profile.artificially(q, dropped, passing.list, perf_counter_ns() - begun)
        profile.extra_nanos = perf_counter_ns() - started

    def _as_written(self, rows: Rows, profile: Profile) -> Rows:
        """As Spark: all functions of a level on all rows that pass the conditions of the levels before."""
        profile.reevaluated = rows.size
        for level in sorted({step.level for step in self._steps}):
            passes = None
            for q, step in enumerate(self._steps):
                if step.level != level or not rows.size:
                    continue
                results = step.function.evaluate(rows)
                if step.value is not None:
                    rows.add(_value(q), results)
                if step.condition is not None:
                    passing = step.condition(results).fill_null(False)
                    passed = pc.sum(passing).as_py()
                    profile.evaluated(self._tested.index(q), rows.size, passed, 0)
                    passes = passing if passes is None else pc.and_(passes, passing)
            if passes is not None:
                rows.keep(Kept(pc.indices_nonzero(passes)))
        return rows

    def _answer(self, rows: Rows, profile: Profile) -> pa.RecordBatch:
        report = profile.report(self._order.version)
        columns = [
            pa.concat_arrays([pa.array([-1], pa.int64()), rows.arrow("number")]),
            pa.concat_arrays([pa.array([report]), pa.nulls(rows.size, pa.string())]),
        ]
        for q in self._values:
            kind = self._steps[q].value
            # A function is not called on no rows.
            values = rows.arrow(_value(q)) if rows.size else pa.nulls(0, kind)
            columns.append(pa.concat_arrays([pa.nulls(1, kind), values]))
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


def _count(size: int) -> pa.Array:
    return pa.array(range(size), pa.int64())
