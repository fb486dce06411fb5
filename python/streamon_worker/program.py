"""What a worker does for a filter of Python predicates: evaluates them in the order that the JVM asks for.

A batch comes with two columns before the arguments. `control` has the order in its first row. `mark` is true
where a row is sampled that the JVM has dropped already, false where another one is sampled, and else NULL.
For each batch that comes one goes back. Its first row has a report, the others are the rows that pass: their
numbers in the task, and the values of functions that the query reads elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from time import thread_time_ns
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.conversion import ArrowTableToRowsConversion
from pyspark.sql.types import DataType, StructType, _parse_datatype_json_string
from pyspark.worker import RunnerConf

from . import output, steps
from .batch import Batch
from .line import Line
from .rows import Column, Converter, Rows
from .run import Run
from .steps import result


class Filter:
    """A filter of one task."""

    def __init__(self, spec: dict[str, Any], commands: list[bytes]) -> None:
        conf = RunnerConf()
        conf._conf = spec["conf"]
        self._steps = steps.read(spec["steps"], commands, conf)
        arguments = cast("StructType", _parse_datatype_json_string(spec["arguments"]))
        types: dict[Column, DataType] = {offset: field.dataType for offset, field in enumerate(arguments)}
        types |= {result(k): self._steps[k].declared for k in self._steps.read}
        self._converters: dict[Column, Converter | None] = {
            column: ArrowTableToRowsConversion._create_converter(
                kind, none_on_identity=True, binary_as_bytes=conf.binary_as_bytes
            )
            for column, kind in types.items()
        }
        values = [(result(k), self._steps[k].value) for k in self._steps.values]
        self._schema = pa.schema([("number", pa.int64()), ("report", pa.string()), *values])
        self._answered = 0
        self._answer_nanos = 0

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Filters the batches of a partition."""
        send = output.flush()
        for run in Line(self._steps).through(self._runs(batches)):
            answer = self._answer(run)
            begun = thread_time_ns()
            yield answer
            send()
            self._answer_nanos = thread_time_ns() - begun

    def _runs(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Run]:
        for number in count():
            begun = thread_time_ns()
            came = next(batches, None)
            if came is None:
                return
            read_nanos = thread_time_ns() - begun
            batch = Batch(came, number)
            whole = Rows(batch.columns, self._converters, batch.size)
            yield Run(batch, self._steps.path(batch.order), len(self._steps.tested), whole, read_nanos)

    def _answer(self, run: Run) -> pa.RecordBatch:
        rows = run.rows
        numbers = pc.add(rows.positions, self._answered)
        self._answered += run.batch.size
        columns = [
            pa.concat_arrays([pa.array([-1], pa.int64()), numbers]),
            pa.concat_arrays([pa.array([run.report(self._answer_nanos)]), pa.nulls(rows.size, pa.string())]),
        ]
        for k in self._steps.values:
            kind = self._steps[k].value
            # A function is not called on no rows.
            values = rows.arrow(result(k)) if rows.size else pa.nulls(0, kind)
            columns.append(pa.concat_arrays([pa.nulls(1, kind), values.cast(kind)]))
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)


def program(spec: str, commands: list[bytes]) -> Filter:
    """The filter of a task, from its description and the pickled functions of the user."""
    return Filter(json.loads(spec), commands)
