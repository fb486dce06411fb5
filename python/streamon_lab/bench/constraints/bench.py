"""The bench of constraints."""

from __future__ import annotations

from streamon_lab.bench.constraints import markdown, report
from streamon_lab.bench.constraints.sizes import FULL, QUICK
from streamon_lab.bench.constraints.summary import TARGETS
from streamon_lab.bench.constraints.workloads import families
from streamon_lab.bench.streaming.command import StreamingBench

CONSTRAINTS = StreamingBench(
    FULL, QUICK, families, report.as_json, report.as_table, markdown.as_markdown, TARGETS
)
