"""What is known of one run of a join: its time, its answer, its micro-batches and its state."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamon_lab.bench.streaming.variants import Engine, Variant
from streamon_lab.bench.streaming.workload import JoinWorkload

OPERATOR = "mjoin"
STOCK = "symmetricHashJoin"
REPLICAS = "mjoinReplicaRows"


class UnexpectedRunError(AssertionError):
    """A run was not of the operators or of the micro-batches that it should have been."""


@dataclass(frozen=True)
class Answer:
    """How many results there were, and their checksum."""

    results: int
    checksum: int


@dataclass(frozen=True)
class State:
    """What a run left behind: rows in its state, files and bytes under `state` in its checkpoint.

    `replicas` are the rows that an MJoin without a common key keeps once more; `rows` are the others.
    """

    rows: int
    replicas: int
    memory_bytes: int
    bytes: int
    files: int
    checkpoint_files: int


@dataclass(frozen=True)
class Kept:
    """What the joins of a run kept at the end of a micro-batch.

    Rows in the state, replicas and those in its `cold` tier among them; of an MJoin the `bytes` of the rows
    in memory, with the `constraint_bytes` of what watches constraints, and the rows that are `dead` by them.
    """

    rows: int
    bytes: int = 0
    constraint_bytes: int = 0
    cold: int = 0
    dead: int = 0


@dataclass(frozen=True)
class JoinRun:
    """One execution. What belongs to micro-batches is empty for a batch join.

    `batch_millis` has the duration of each micro-batch, `phases` what their parts took together, by Spark's
    names; `probes` are an MJoin's look-ups, `profiled` the rows that it sampled and `reorders` its changes of
    order. Of its caches there are all hits and misses, and the bytes at the end; of constraints the rows that
    left memory for them, and the results found with a row that they call dead. `kept` has an entry for each
    micro-batch. `checkpoints` are Flink's. `jvm_cpu_seconds` is processor time of the whole JVM during a
    streaming run, with what runs beside the tasks.
    """

    seconds: float
    cpu_seconds: float
    answer: Answer
    batch_millis: tuple[int, ...] = ()
    phases: Mapping[str, int] = field(default_factory=dict)
    state: State | None = None
    probes: int = 0
    profiled: int = 0
    reorders: int = 0
    cache_hits: int = 0
    cache_misses: int = 0
    cache_bytes: int = 0
    evicted_rows: int = 0
    violations: int = 0
    kept: tuple[Kept, ...] = ()
    checkpoints: int = 0
    jvm_cpu_seconds: float = 0.0

    @property
    def batch_cost(self) -> float:
        """Milliseconds of a micro-batch on average, without the first, which also starts the query."""
        return statistics.fmean(self.batch_millis[1:])


def streaming_run(
    seconds: float, cpu_seconds: float, jvm_cpu_seconds: float, progress: Sequence[Any], checkpoint: Path
) -> JoinRun:
    """Puts together what a query said of its micro-batches, and what is in its checkpoint."""
    batches = [p for p in progress if p.numInputRows > 0]
    answers = [p.observedMetrics["answer"] for p in progress if "answer" in p.observedMetrics]
    phases: dict[str, int] = {}
    for p in batches:
        for phase, millis in p.durationMs.items():
            phases[phase] = phases.get(phase, 0) + millis
    last = batches[-1].stateOperators

    def counted(prefix: str) -> int:
        return sum(
            value
            for p in batches
            for operator in p.stateOperators
            for name, value in operator.customMetrics.items()
            if name.startswith(prefix)
        )

    replicas = sum(o.customMetrics.get(REPLICAS, 0) for o in last)
    stored = [f for f in (checkpoint / "state").rglob("*") if f.is_file()]
    return JoinRun(
        seconds,
        cpu_seconds,
        Answer(sum(a["results"] for a in answers), sum(a["checksum"] for a in answers)),
        tuple(p.durationMs["triggerExecution"] for p in batches),
        phases,
        State(
            rows=sum(o.numRowsTotal for o in last) - replicas,
            replicas=replicas,
            memory_bytes=sum(o.memoryUsedBytes for o in last),
            bytes=sum(f.stat().st_size for f in stored),
            files=len(stored),
            checkpoint_files=sum(f.is_file() for f in checkpoint.rglob("*")),
        ),
        probes=counted("mjoinProbes"),
        profiled=counted("mjoinProfiledRows"),
        reorders=counted("mjoinReorders"),
        cache_hits=counted("mjoinCacheHits"),
        cache_misses=counted("mjoinCacheMisses"),
        cache_bytes=sum(o.customMetrics.get("mjoinCacheBytes", 0) for o in last),
        evicted_rows=counted("mjoinEvictedRows"),
        violations=counted("mjoinViolations"),
        kept=tuple(kept(p.stateOperators) for p in batches),
        jvm_cpu_seconds=jvm_cpu_seconds,
    )


def kept(operators: Sequence[Any]) -> Kept:
    """What the stateful operators kept at the end of a micro-batch."""

    def total(metric: str) -> int:
        return sum(o.customMetrics.get(metric, 0) for o in operators)

    return Kept(
        rows=sum(o.numRowsTotal for o in operators),
        bytes=total("mjoinMirrorBytes"),
        constraint_bytes=total("mjoinConstraintBytes"),
        cold=total("mjoinColdRows"),
        dead=total("mjoinDeadRows"),
    )


def check(workload: JoinWorkload, variant: Variant, progress: Sequence[Any], micro_batches: int) -> None:
    """Raises `UnexpectedRunError` when a run was not what its variant stands for."""
    batches = [p for p in progress if p.numInputRows > 0]
    if len(batches) != micro_batches:
        raise UnexpectedRunError(
            f"{workload.name}, {variant.name}: {len(batches)} micro-batches instead of {micro_batches}"
        )
    count = 1 if variant.engine is Engine.MJOIN else len(workload.streams) - 1
    expected = [STOCK if variant.engine is Engine.CHAIN else OPERATOR] * count
    found = [o.operatorName for o in batches[-1].stateOperators]
    if found != expected:
        raise UnexpectedRunError(
            f"{workload.name}, {variant.name}: stateful operators {found} instead of {expected}"
        )
