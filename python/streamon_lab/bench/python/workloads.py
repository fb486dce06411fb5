"""The workloads of the bench of Python functions, by name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from streamon_lab.bench.datasets import cached
from streamon_lab.bench.filters.workload import Predicate
from streamon_lab.bench.filters.workloads import flights, flip, integers
from streamon_lab.bench.python import data, models, vectors
from streamon_lab.bench.python import rows as user
from streamon_lab.bench.python.data import Logs
from streamon_lab.bench.python.functions import Function, Kind
from streamon_lab.bench.python.sizes import PythonSizes
from streamon_lab.bench.python.workload import PythonWorkload, predicate

ROW_FUNCTIONS = (
    Function("is_timeout", user.is_timeout),
    Function("is_paid", user.is_paid),
    Function("score", user.score, "double"),
    Function("is_slow", user.is_slow),
)
TIMEOUT = predicate("is_timeout", "body")
PAID = predicate("is_paid", "context")
SCORE = predicate("score", "features", asked=f"> {data.HIGH:g}")
SLOW = predicate("is_slow", "span")
ALL_FOUR = (SLOW, SCORE, PAID, TIMEOUT)

LEVEL = Predicate("severity", "severity < 8")
REGION = Predicate("region", "get_json_object(context, '$.user.region') <> 'r0'")
SHARD = Predicate("shard", "body RLIKE '.*shard=([0-9]|[1-8][0-9]|9[0-4]) .*(time|answer)'")

STRICT = {"body": 0.3, "context": 0.5, "features": 0.4, "span": 0.5}
LENIENT = dict.fromkeys(STRICT, 0.85)
PAYLOAD = 2_000
FLIP, ONE, TRIVIAL = "flip", "one", "trivial"
NAMES = (
    "arrow",
    "arrow-udf",
    "pickled",
    "lenient",
    "vectorised-pandas",
    "vectorised-arrow",
    "flights",
    "mixed",
    "wide",
    FLIP,
    ONE,
    TRIVIAL,
)


def workloads(root: Path, sizes: PythonSizes) -> list[PythonWorkload]:
    """All of them; their data are made under a folder."""
    logs = PythonWorkload(
        "arrow",
        "four row functions, @udf over Arrow",
        ALL_FOUR,
        Logs(sizes.logs, STRICT).table(root),
        columns=data.COLUMNS,
        functions=ROW_FUNCTIONS,
        selected=("id",),
    )
    return [
        logs,
        replace(logs, name="arrow-udf", title="the same as @arrow_udf", kind=Kind.ARRAYS),
        replace(logs, name="pickled", title="the same as @udf, pickled", kind=Kind.PICKLED),
        _on(
            replace(logs, name="lenient", title="the same over Arrow, all pass 85%"),
            Logs(sizes.logs, LENIENT).table(root),
        ),
        *_vectorised(replace(logs, predicates=()), Logs(sizes.vectorised, STRICT).table(root)),
        _flights(root, sizes.flights),
        replace(
            logs,
            name="mixed",
            title="three row functions, a comparison, RLIKE and JSON",
            predicates=(SHARD, SLOW, REGION, SCORE, TIMEOUT, LEVEL),
        ),
        _on(
            replace(
                logs,
                name="wide",
                title=f"four row functions, {PAYLOAD} bytes a row",
                selected=("id", "payload"),
            ),
            Logs(sizes.wide, STRICT, PAYLOAD).table(root),
        ),
        _flip(root, sizes.flip),
        replace(logs, name=ONE, title="one Python predicate (control)", predicates=(TIMEOUT,)),
        PythonWorkload(
            TRIVIAL,
            "four trivial functions (control)",
            tuple(predicate("is_big", column) for column in integers.COLUMNS[:4]),
            integers.table(root, sizes.trivial),
            columns=integers.COLUMNS,
            functions=(Function("is_big", user.is_big),),
        ),
    ]


def _on(workload: PythonWorkload, table: Path) -> PythonWorkload:
    return replace(workload, table=table, segments=())


def _vectorised(logs: PythonWorkload, table: Path) -> list[PythonWorkload]:
    near, timeout = predicate("is_near", "lat", "lon"), predicate("is_timeout", "body")
    likely = predicate("is_risky", *models.SIGNALS)
    model = models.risk()
    of = partial(Function, vectorised=True)
    whole = replace(_on(logs, table), predicates=(likely, timeout, near))
    return [
        replace(
            whole,
            name="vectorised-pandas",
            title="NumPy, a regular expression and scikit-learn, @pandas_udf",
            kind=Kind.SERIES,
            functions=(
                of("is_near", vectors.near_series),
                of("is_timeout", vectors.timeout_series),
                of("is_risky", vectors.likely_series(model)),
            ),
        ),
        replace(
            whole,
            name="vectorised-arrow",
            title="the same as @arrow_udf",
            kind=Kind.ARRAYS,
            functions=(
                of("is_near", vectors.near_arrays),
                of("is_timeout", vectors.timeout_arrays),
                of("is_risky", vectors.likely_arrays(model)),
            ),
        ),
    ]


def _flights(root: Path, rows: int) -> PythonWorkload:
    whole = flights.table(root, copies=1)

    def some(folder: Path) -> None:
        table = pq.read_table(whole)
        table = table.take(np.linspace(0, len(table) - 1, rows).astype(int))
        pq.write_table(table, folder / flights.FILE, row_group_size=data.GROUP)

    of = partial(Function, vectorised=True)
    return PythonWorkload(
        "flights",
        "boosted trees of scikit-learn over flights, @pandas_udf",
        (
            predicate("will_be_late", *models.INPUTS),
            predicate("has_seats", "js"),
            predicate("is_boeing", "txt"),
        ),
        cached(root, f"python-flights-{rows}", some) / flights.FILE,
        columns=(*flights.COLUMNS, *models.INPUTS[2:]),
        kind=Kind.SERIES,
        functions=(
            of("will_be_late", vectors.likely_series(models.lateness(whole))),
            of("has_seats", vectors.seats_series),
            of("is_boeing", vectors.boeing_series),
        ),
    )


def _flip(root: Path, rows: int) -> PythonWorkload:
    folder = flip.table(root, rows)
    return PythonWorkload(
        FLIP,
        "four row functions whose pass rates turn round half-way",
        tuple(predicate("is_settled", column) for column in flip.COLUMNS),
        folder / "whole",
        segments=(folder / "before", folder / "after"),
        conf=flip.CONF,
        columns=flip.COLUMNS,
        functions=(Function("is_settled", user.is_settled),),
    )
