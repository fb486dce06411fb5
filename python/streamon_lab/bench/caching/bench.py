"""The bench of caching."""

from __future__ import annotations

from streamon_lab.bench.caching import markdown, report
from streamon_lab.bench.caching.sizes import FULL, QUICK
from streamon_lab.bench.caching.summary import TARGETS
from streamon_lab.bench.caching.workloads import families
from streamon_lab.bench.streaming.command import StreamingBench

CACHING = StreamingBench(
    FULL, QUICK, families, report.as_json, report.as_table, markdown.as_markdown, TARGETS
)
