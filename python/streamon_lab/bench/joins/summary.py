"""The figures by which the joins are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from streamon_lab.bench.joins.variants import BATCH, FIXED, FLINK, FLINK_CHECKPOINTED, IN_BUDGET
from streamon_lab.bench.joins.workloads.one_key import EMPTY, GROWING, LARGEST
from streamon_lab.bench.streaming.bench import Measured
from streamon_lab.bench.streaming.report import batch_cost, state_rows
from streamon_lab.bench.streaming.variants import MJOIN, Engine
from streamon_lab.bench.targets import Target

TARGETS = {
    "speedup_3way": Target(">=", 2.5),
    "speedup_5way": Target(">=", 4.0),
    "speedup_8way": Target(">=", 4.5),
    "speedup_rst": Target(">=", 2.5),
    "speedup_3way_long": Target(">=", 3.0),
    "speedup_5way_long": Target(">=", 4.0),
    "speedup_3way_4m": Target(">=", 3.5),
    "cpu_speedup_3way": Target(">=", 4.0),
    "cpu_speedup_5way": Target(">=", 6.0),
    "cpu_speedup_8way": Target(">=", 5.0),
    "time_vs_flink": Target("<=", 1.5),
    "time_vs_flink_long": Target("<=", 1.0),
    "time_in_budget": Target("<=", 1.3),
    "batch_cost_vs_chain": Target("<=", 0.30),
    "row_cost_vs_flink": Target("<=", 1.0),
    "row_cost_vs_batch": Target("<=", 3.0),
    "state_rows_vs_inputs": Target("<=", 1.0),
}
"""What is asked of the figures of the summary."""

SHORT, LONG, WIDE_LONG = "3-way", "3-way-long", "5-way-long"
DRIFT = "drift"
SPEEDUPS = {
    "speedup_3way": SHORT,
    "speedup_5way": "5-way",
    "speedup_8way": "8-way",
    "speedup_windowed": "3-way-windowed",
    "speedup_rst": "rst",
    "speedup_clique": "clique-4",
    "speedup_nexmark": "nexmark-q23",
    "speedup_3way_long": LONG,
    "speedup_5way_long": WIDE_LONG,
    "speedup_3way_4m": LARGEST,
}
CPU_SPEEDUPS = {"cpu_speedup_3way": LONG, "cpu_speedup_5way": WIDE_LONG, "cpu_speedup_8way": "8-way"}
VS_FLINK = {"time_vs_flink": SHORT, "time_vs_flink_long": LONG}


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures to judge by; None for what was not measured."""
    by_name = {m.workload.name: m for m in measured}
    controls = [apart for m in measured for apart in m.controls()]
    return {
        **{figure: _of(by_name.get(name), speedup) for figure, name in SPEEDUPS.items()},
        **{figure: _of(by_name.get(name), cpu_speedup) for figure, name in CPU_SPEEDUPS.items()},
        **{
            figure + suffix: _of(by_name.get(name), partial(time_ratio, to=variant.name))
            for suffix, variant in (("", FLINK_CHECKPOINTED), ("_without_checkpoints", FLINK))
            for figure, name in VS_FLINK.items()
        },
        "time_in_budget": _of(by_name.get(LARGEST), time_in_budget),
        "batch_cost_vs_chain": _of(by_name.get(EMPTY), batch_cost_ratio),
        "row_cost_vs_flink": row_cost_ratio(by_name, FLINK.name),
        "row_cost_vs_batch": row_cost_ratio(by_name, BATCH.name),
        "row_cost_growth": row_cost_growth(by_name),
        "state_rows_vs_inputs": round(max(state_share(m) for m in measured), 3),
        "drift_vs_best_fixed": _of(by_name.get(DRIFT), lambda m: m.seconds(MJOIN.name) / best_fixed(m)),
        "drift_vs_worst_fixed": _of(by_name.get(DRIFT), lambda m: m.seconds(MJOIN.name) / worst_fixed(m)),
        "noise_floor": round(max(controls), 3) if controls else None,
    }


def _of(m: Measured | None, figure: Callable[[Measured], float | None]) -> float | None:
    found = None if m is None else figure(m)
    return None if found is None else round(found, 3)


def speedup(m: Measured) -> float | None:
    """Time of the best state format of Spark's chain over that of the MJoin."""
    chain = m.best(Engine.CHAIN)
    return m.seconds(chain) / m.seconds(MJOIN.name) if chain else None


def cpu_speedup(m: Measured) -> float | None:
    """Processor time of tasks of the chain, in the state format that takes least, over that of the MJoin."""
    chains = [m.timings[v.name].cpu_median for v in m.workload.variants if v.engine is Engine.CHAIN]
    return min(chains) / m.timings[MJOIN.name].cpu_median if chains else None


def time_ratio(m: Measured, to: str) -> float | None:
    """Time of the MJoin over that of another variant."""
    return m.seconds(MJOIN.name) / m.seconds(to) if to in m.timings else None


def time_in_budget(m: Measured) -> float:
    """Time of an MJoin with most of its rows in the state store over that of the best of Spark's chains."""
    return m.seconds(IN_BUDGET.name) / m.seconds(m.best(Engine.CHAIN) or "")


def batch_cost_ratio(m: Measured) -> float:
    """Time of an MJoin's micro-batch over that of the chain's, in its best state format."""
    chains = [v.name for v in m.workload.variants if v.engine is Engine.CHAIN]
    return batch_cost(m, MJOIN.name) / min(batch_cost(m, name) for name in chains)


def row_cost(by_name: dict[str, Measured], variant: str) -> float | None:
    """Microseconds that one more row takes: the longer run less the shorter, in which all else is alike."""
    short, long = by_name.get(SHORT), by_name.get(LONG)
    if short is None or long is None or variant not in long.timings:
        return None
    seconds = long.seconds(variant) - short.seconds(variant)
    return seconds / (long.workload.rows - short.workload.rows) * 1e6


def row_cost_ratio(by_name: dict[str, Measured], to: str) -> float | None:
    """What a row costs the MJoin over what it costs another; none where one of them is not above nothing."""
    own, other = row_cost(by_name, MJOIN.name), row_cost(by_name, to)
    return round(own / other, 3) if own and other and other > 0 else None


def row_cost_growth(by_name: dict[str, Measured]) -> float | None:
    """What a row costs between the second growing run and the third, over that between the first two.

    None where one of them is not above nothing.
    """
    if any(name not in by_name for name in GROWING):
        return None
    first, second, third = (by_name[name] for name in GROWING)

    def cost(short: Measured, long: Measured) -> float:
        seconds = long.seconds(MJOIN.name) - short.seconds(MJOIN.name)
        return seconds / (long.workload.rows - short.workload.rows)

    before, after = cost(first, second), cost(second, third)
    return round(after / before, 3) if before > 0 and after > 0 else None


def state_share(m: Measured) -> float:
    """Rows in the state of the MJoin, replicas apart, over the rows that came."""
    return m.median(MJOIN.name, state_rows) / m.workload.rows


def fixed_seconds(m: Measured) -> list[float]:
    """The times of the fixed orders."""
    return [m.seconds(v.name) for v in m.workload.variants if v.name.startswith(FIXED)]


def best_fixed(m: Measured) -> float:
    """The time of the fastest fixed order."""
    return min(fixed_seconds(m))


def worst_fixed(m: Measured) -> float:
    """The time of the slowest fixed order."""
    return max(fixed_seconds(m))
