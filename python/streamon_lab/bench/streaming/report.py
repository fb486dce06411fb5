"""What one engine took, as JSON."""

from __future__ import annotations

from typing import Any

from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.run import JoinRun
from streamon_lab.bench.streaming.variants import Engine, Variant

Json = dict[str, Any]


def engine(m: Measured, variant: Variant) -> Json:
    """What one engine took; state and micro-batches only where it has them."""
    timings, run = m.timings[variant.name], m.runs[variant.name][-1]
    found: Json = {
        "name": variant.name,
        "seconds": rounded(timings.median),
        "samples": [rounded(s) for s in timings.seconds],
        "cpu_seconds": None if variant.engine is Engine.FLINK else rounded(timings.cpu_median),
    }
    if variant.checkpoints:
        found["checkpoints"] = run.checkpoints
    if run.state is None:
        return found
    # The chain knows its rows only when RocksDB counts them, which it does in the warm-up alone.
    counted = m.warm_ups[variant.name] if variant.engine is Engine.CHAIN else run
    found |= {
        "batch_ms": rounded(batch_cost(m, variant.name)),
        "phases_ms": {name: round(ms / len(run.batch_millis), 1) for name, ms in run.phases.items()},
        "state_rows": round(state_rows(counted)),
        "state_replicas": run.state.replicas,
        "state_bytes": run.state.bytes,
        "state_files": run.state.files,
        "checkpoint_files": run.state.checkpoint_files,
        "memory_bytes": run.state.memory_bytes,
    }
    if variant.engine is Engine.MJOIN:
        found |= {"probes": run.probes, "reorders": run.reorders}
    return found


def rounded(value: float | None) -> float | None:
    """To three digits."""
    return None if value is None else round(value, 3)


def batch_cost(m: Measured, variant: str) -> float:
    """Milliseconds of a micro-batch."""
    return m.median(variant, lambda run: run.batch_cost)


def state_rows(run: JoinRun) -> float:
    """Rows in the state at the end, replicas apart; none of a batch join."""
    return 0 if run.state is None else run.state.rows
