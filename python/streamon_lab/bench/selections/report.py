"""The results as JSON and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from streamon_lab.bench import terminal
from streamon_lab.bench.results import head
from streamon_lab.bench.selections.bench import Measured
from streamon_lab.bench.selections.summary import TARGETS, summary

Json = dict[str, Any]

HEADING = ("workload", "variant", "seconds", "CPU s", "us a row", "scans", "times match")


def as_json(measured: Sequence[Measured], environment: Json, method: Json) -> Json:
    """The whole: `workloads` has an entry for each, with its variants; `summary` the figures to judge by."""
    return {
        **head("selections", environment, method, summary(measured), TARGETS),
        "workloads": [entry(m) for m in measured],
    }


def entry(m: Measured) -> Json:
    """One workload."""
    return {
        "name": m.workload.name,
        "rules": m.workload.count,
        "share": m.workload.share,
        "data": m.workload.data.value,
        "streamed": m.workload.streamed,
        "rows": m.workload.rows,
        "fastest_stock": m.fastest_stock,
        "to_index": None if m.to_index is None else round(m.to_index, 3),
        "set_bytes": m.set_bytes,
        "sequences": {
            name: {"columns": list(sequence.columns), "asked": round(sequence.asked, 3)}
            for name, sequence in zip(("best", "worst"), m.sequences, strict=False)
        },
        "variants": [variant(m, name) for name in m.timings],
    }


def variant(m: Measured, name: str) -> Json:
    """What one variant took."""
    timings = m.timings[name]
    return {
        "name": name,
        "seconds": round(timings.median, 3),
        "cpu_seconds": round(timings.cpu_median, 3),
        "us_a_row": round(timings.median / m.workload.rows * 1e6, 3),
        "scans": None if m.workload.streamed else round(m.scans(name), 3),
        "over_match": round(m.speedup(name), 3),
        "samples": [round(s, 3) for s in timings.seconds],
        "cpu_samples": [round(s, 3) for s in timings.cpu_seconds],
    }


def rows(result: Json) -> list[list[str]]:
    """A row for each variant of each workload; the heading first."""
    table = [list(HEADING)]
    for w in result["workloads"]:
        for number, v in enumerate(w["variants"]):
            table.append(
                [
                    f"{w['name']}, {w['rows']:,} rows" if number == 0 else "",
                    v["name"],
                    f"{v['seconds']:.2f}",
                    f"{v['cpu_seconds']:.2f}",
                    f"{v['us_a_row']:.2f}",
                    "" if v["scans"] is None else f"{v['scans']:.2f}",
                    f"{v['over_match']:.2f}",
                ]
            )
    return table


def as_table(result: Json) -> Table:
    """For the terminal."""
    return terminal.table("Many rules: time of each way to run them", rows(result), names=2)
