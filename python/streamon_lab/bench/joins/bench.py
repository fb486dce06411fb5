"""The bench of joins."""

from __future__ import annotations

from streamon_lab.bench.joins import markdown, report
from streamon_lab.bench.joins.sizes import FULL, QUICK
from streamon_lab.bench.joins.summary import TARGETS
from streamon_lab.bench.joins.workloads import families
from streamon_lab.bench.streaming.command import StreamingBench

JOINS = StreamingBench(FULL, QUICK, families, report.as_json, report.as_table, markdown.as_markdown, TARGETS)
