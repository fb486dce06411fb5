"""The demo's plots as inline SVG. Text and axes have the page's colour, for light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from streamon_lab.demo.query import PREDICATES
from streamon_lab.demo.scenes import INCIDENT_FROM, MONTHS

INK = "#010203"
"""Stands for the page's text colour, and is replaced by it in the SVG."""

OFF, ON, LEAST = "#d1495b", "#2a7fba", "#4c9f70"
COLOURS = ("#2a7fba", "#d1495b", "#4c9f70", "#e8a33d", "#8e6bbf", "#3cb0b5", "#b5651d", "#d86fa8")
STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
}
ROWS_UNIT = 2000


def evaluations(
    titles: Sequence[str],
    rows: Sequence[Sequence[int]],
    written: Sequence[Sequence[int]],
    adaptive: Sequence[Sequence[int]],
    fewest: Sequence[Sequence[int]],
) -> str:
    """Filters evaluated per 2,000 rows in each month, a panel for each scene."""
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(1, 2, figsize=(11, 3.8), sharey=True, layout="constrained")
        for i, axes in enumerate(panels):
            for series, colour, label, style in (
                (written[i], OFF, "as written (stock Spark)", "-"),
                (adaptive[i], ON, "StreaMon", "-"),
                (fewest[i], LEAST, "fewest possible", ":"),
            ):
                height = [ROWS_UNIT * n / r for n, r in zip(series, rows[i], strict=True)]
                axes.plot(MONTHS, height, style, color=colour, label=label, marker="o", markersize=4)
            _scene(axes, titles[i], incident=i == 1)
        panels[0].set_ylim(bottom=0)
        panels[0].set_ylabel("filters evaluated per 2,000 rows")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, frameon=False, loc="outside lower center", ncols=3)
        return _svg(figure, "evaluations", "Filters evaluated per 2,000 rows, by month")


def orders(titles: Sequence[str], ends: Sequence[Sequence[Sequence[int]]]) -> str:
    """The place of each predicate in the order at the end of each month, a panel for each scene."""
    n = len(PREDICATES)
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(1, 2, figsize=(11, 4.2), sharey=True, layout="constrained")
        for i, axes in enumerate(panels):
            for q, predicate in enumerate(PREDICATES):
                # Before the first month: the order in which the query is written.
                places = [q + 1] + [list(order).index(q) + 1 for order in ends[i]]
                axes.plot(range(-1, 12), places, color=COLOURS[q], linewidth=2.5, marker="o", markersize=5)
                axes.text(11.3, places[-1], predicate.name, color=COLOURS[q], va="center", weight="bold")
            axes.set_xticks(range(-1, 12), ["written", *MONTHS])
            _scene(axes, titles[i], incident=i == 1)
            axes.set_xlim(-1.3, 13.6)
        panels[0].set_ylim(n + 0.5, 0.5)
        panels[0].set_yticks(range(1, n + 1))
        panels[0].set_ylabel("place in the order (1 is evaluated first)")
        return _svg(figure, "orders", "The order of the predicates, by month")


def times(titles: Sequence[str], off: Sequence[float], on: Sequence[float]) -> str:
    """Processor time of the filtering tasks with StreaMon off and on."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(11, 2.6), layout="constrained")
        for series, colour, label, shift in ((off, OFF, "off", -0.2), (on, ON, "on", 0.2)):
            bars = axes.barh([i + shift for i in range(len(titles))], series, 0.36, color=colour, label=label)
            axes.bar_label(bars, [f"{label}: {s:.1f} s" for s in series], padding=4)
        axes.set_yticks(range(len(titles)), titles)
        axes.invert_yaxis()
        axes.set_xlabel("processor time of all tasks, seconds")
        axes.margins(x=0.12)
        return _svg(figure, "times", "Processor time with StreaMon off and on")


def state(stock: Sequence[int], mjoin: Sequence[int]) -> str:
    """Rows in the state of the joins at the end of each day."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(11, 3.2), layout="constrained")
        for series, colour, label in ((stock, OFF, "Spark's own joins"), (mjoin, ON, "MJoin")):
            axes.plot(range(1, len(series) + 1), series, color=colour, label=label, marker="o", markersize=4)
        axes.set_xticks(range(1, len(stock) + 1))
        axes.set_xlabel("day of January 2013")
        axes.set_ylabel("rows in the state")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
        return _svg(figure, "state", "Rows in the state of the joins, by day")


def _scene(axes: Axes, title: str, *, incident: bool) -> None:
    axes.set_title(title, loc="left")
    axes.tick_params("x", rotation=45)
    if incident:
        start = INCIDENT_FROM - 1.5
        axes.axvspan(start, 11.5, color="#e8a33d", alpha=0.15, linewidth=0)
        axes.text(11.4, 0.02, "incident", transform=axes.get_xaxis_transform(), ha="right", size=10)


def _svg(figure: Figure, name: str, label: str) -> str:
    text = io.StringIO()
    # Each plot salts its ids with its own name, since all of them live in one page.
    with plt.rc_context({"svg.hashsalt": name}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', rf'\1 role="img" aria-label="{label}"', svg, count=1)
    # Groups are named alike in every plot and nothing refers to them.
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    return svg.replace(INK, "currentColor")
