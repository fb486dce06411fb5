"""What the pages of all results have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamon_lab.bench.targets import Judged


def ran_on(environment: dict[str, Any]) -> str:
    """The versions and the machine, in a sentence."""
    return (
        f"Spark {environment['spark']}, Java {environment['java']}, {environment['system']}, "
        f"{environment['machine_cores']} cores, "
        f"load average {environment['load_average_at_start']} at the start."
    )


def summary(judged: Sequence[Judged]) -> list[str]:
    """The figures with their targets, as a section."""
    rows = [
        [f"`{name}`", value, target, "" if met is None else "yes" if met else "**no**"]
        for name, value, target, met in judged
    ]
    return ["## Summary", "", *table([["figure", "value", "target", "met"], *rows])]


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The heading comes first."""
    heading, *body = rows
    return ["| " + " | ".join(row) + " |" for row in [heading, ["---"] * len(heading), *body]]


def code(text: str) -> str:
    """Text as code within a table."""
    return "`" + text.replace("|", "\\|") + "`"
