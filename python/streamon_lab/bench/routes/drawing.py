"""The routes that Query Mesh ended with, as flowcharts in Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Any

WIDEST = 160
"""Characters of a condition in a drawing. The JSON has all of it."""


def drawings(workloads: Sequence[dict[str, Any]]) -> list[str]:
    """Lines for each filter that has more than one route, as the JSON has them. Joins tell of none."""
    drawn = [line for w in workloads if len(w.get("routes", ())) > 1 for line in _drawing(w)]
    return drawn or ["", "No filter ended with more than one route."]


def _drawing(workload: dict[str, Any]) -> list[str]:
    routes = workload["routes"]
    return [
        "",
        f"### {workload['name']}",
        "",
        "```mermaid",
        *flowchart(routes),
        "```",
        "",
        f"Saving against the best order for all rows, as a share of the time in the filter: modelled "
        f"{_percent(routes[0]['modelled_saving'])}, measured {_percent(routes[0]['measured_saving'])}.",
    ]


def flowchart(routes: Sequence[dict[str, Any]]) -> list[str]:
    """The tree in the middle, and an arrow to each route with the rows that take it."""
    lines = ["flowchart LR", "    rows([rows]) --> tree{tree}"]
    for r in routes:
        name, order = f"route{r['route']}", text(", ".join(r["order"]))
        words = text(textwrap.shorten(r["rows"], WIDEST, placeholder=" ..."))
        lines.append(
            f'    tree -- "{words}" --> {name}["<b>route {r["route"]}</b><br>'
            f'share of rows {_percent(r["share"])}<br>{order}"]'
        )
    return lines


def text(plain: str) -> str:
    """Text within a label. What Mermaid may take for its own, for Markdown or for HTML stands as a number."""
    return re.sub(r"[^\w ,.()'=-]", lambda c: f"#{ord(c.group())};", " ".join(plain.split()))


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.1%}"
