"""The functions of a filter, and what is asked of their results."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, _parse_datatype_json_string
from pyspark.worker import RunnerConf

from . import functions
from .conditions import Condition, condition
from .joined import Joined
from .profile import Profile
from .rows import Column, Kept, Rows


@dataclass(frozen=True)
class Step:
    """A function, and what is asked of its results.

    Attributes:
        function: it, with its arguments.
        condition: what is asked; none where only its results are needed.
        declared: the type of its results.
        value: of which type its results go back; none where the query reads them nowhere else.
        reads: steps whose results it is called with.
        level: Spark calls functions of a level for rows that pass the conditions of the levels before.
    """

    function: functions.Function
    condition: Condition | None
    declared: DataType
    value: pa.DataType | None
    reads: list[int]
    level: int


class Steps:
    """All steps of a filter, those first that Spark takes first.

    Attributes:
        tested: those with a condition, which are the predicates, by written position.
        values: those whose results go back.
        read: those whose results others are called with.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self.tested = [k for k, step in enumerate(self._steps) if step.condition is not None]
        self.values = [k for k, step in enumerate(self._steps) if step.value is not None]
        self.read = sorted({k for step in self._steps for k in step.reads})
        self._kept = {*self.read, *self.values}
        self._position = {k: q for q, k in enumerate(self.tested)}

    def __getitem__(self, k: int) -> Step:
        return self._steps[k]

    def path(self, order: list[int]) -> list[int]:
        """The steps of a batch whose predicates are evaluated in an order."""
        return [self.tested[q] for q in order] + [k for k in self.values if k not in self._position]

    def predicate(self, k: int) -> int | None:
        """Which of the predicates a step is, if it is one."""
        return self._position.get(k)

    def passing(self, k: int, parts: Sequence[Rows]) -> list[Kept | None]:
        """The rows that pass a step, of each part; none where all do."""
        asked = self._steps[k].condition
        found = self.results(k, parts)
        if asked is None:
            return [None for _ in parts]
        kept = [Kept(pc.indices_nonzero(asked(each))) for each in found]
        return [None if len(left) == part.size else left for left, part in zip(kept, parts, strict=True)]

    def results(self, k: int, parts: Sequence[Rows]) -> list[pa.Array]:
        """What a function returns for the rows of several batches, by batch. No batch has no rows."""
        name = result(k)
        new = [part for part in parts if not part.has(name)]
        if new:
            for inner in self._steps[k].reads:
                self.results(inner, new)
            found = self._call(self._steps[k].function, new)
            if k not in self._kept:
                return found
            for part, results in zip(new, found, strict=True):
                part.add(name, results)
        return [part.arrow(name) for part in parts]

    def prepare(self, k: int, parts: Sequence[Rows]) -> None:
        """Evaluates predicates whose results a function is called with. In turn they are evaluated before."""
        for inner in self._steps[k].reads:
            if inner in self._position:
                self.results(inner, parts)
            else:
                self.prepare(inner, parts)

    def _call(self, function: functions.Function, parts: Sequence[Rows]) -> list[pa.Array]:
        """A vectorised function is called once for all that it sees in the same types."""
        if not function.vectorised or len(parts) == 1:
            return [function.evaluate(part) for part in parts]
        alike: dict[Hashable, list[int]] = {}
        for i, part in enumerate(parts):
            alike.setdefault(function.sees(part), []).append(i)
        found: dict[int, pa.Array] = {}
        for group in alike.values():
            joined = Joined([parts[i] for i in group])
            found.update(zip(group, joined.apart(function.evaluate(joined)), strict=True))
        return [found[i] for i in range(len(parts))]

    def as_written(self, rows: Rows, profile: Profile) -> None:
        """As Spark: all functions of a level on all rows that pass the conditions of the levels before."""
        profile.reevaluated = rows.size
        for level in sorted({step.level for step in self._steps}):
            passes = None
            left = rows.size
            for k, step in enumerate(self._steps):
                if step.level != level or not rows.size:
                    continue
                (results,) = self.results(k, [rows])
                if step.condition is not None:
                    passing = step.condition(results).fill_null(False)
                    passes = passing if passes is None else pc.and_(passes, passing)
                    now = pc.sum(passes).as_py()
                    profile.evaluated(self._position[k], rows.size, left - now, 0)
                    left = now
            if passes is not None:
                rows.keep(Kept(pc.indices_nonzero(passes)))


def result(k: int) -> str:
    """The name of the column of a step's results."""
    return f"result {k}"


def read(spec: list[dict[str, Any]], commands: list[bytes], conf: RunnerConf) -> Steps:
    """The steps of a description, with the pickled functions of the user."""
    return Steps([_step(step, commands, conf) for step in spec])


def _step(spec: dict[str, Any], commands: list[bytes], conf: RunnerConf) -> Step:
    columns = [(a.get("name"), _column(a)) for a in spec["arguments"]]
    function = functions.read(
        spec["kind"],
        [commands[c] for c in spec["commands"]],
        [column for name, column in columns if name is None],
        {name: column for name, column in columns if name is not None},
        conf,
    )
    asked = spec.get("condition")
    declared = _parse_datatype_json_string(spec["type"])
    kind = to_arrow_type(declared, timezone="UTC", prefers_large_types=conf.use_large_var_types)
    return Step(
        function,
        None if asked is None else condition(asked),
        declared,
        kind if spec["needed"] else None,
        [a["result"] for a in spec["arguments"] if "result" in a],
        spec["level"],
    )


def _column(argument: dict[str, Any]) -> Column:
    return result(argument["result"]) if "result" in argument else int(argument["offset"])
