"""The history of constraints as a figure: k above, rows below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from streamon.errors import ExtraMissingError, NoConstraintsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from streamon.constraint_report.rows import ConstraintPoint


def figure(history: Sequence[ConstraintPoint]) -> Figure:
    """Draw a line for each constraint. It has gaps where k is unknown.

    Raises:
        ExtraMissingError: matplotlib is not installed.
        NoConstraintsError: the history is empty.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ExtraMissingError(
            "A plot needs matplotlib: install it with `pip install matplotlib`."
        ) from None
    if not history:
        raise NoConstraintsError("There is no history to plot yet: plot again after the next micro-batch.")
    # A figure of its own, without pyplot: nothing is shown, and no backend is chosen for the caller.
    drawn = Figure(figsize=(10, 6), layout="constrained")
    above, below = drawn.subplots(2, 1, sharex=True)
    several = len({m.operator for m in history}) > 1
    series: dict[tuple[str, str], list[ConstraintPoint]] = {}
    for point in sorted(history, key=lambda m: m.time):
        series.setdefault((point.operator, point.constraint), []).append(point)
    for (operator, constraint), moments in series.items():
        label = f"{operator}: {constraint}" if several else constraint
        times = [m.time for m in moments]
        ks = [float("nan") if m.k is None else m.k for m in moments]
        [line] = above.plot(times, ks, marker=".", label=label)
        below.plot(times, [m.rows for m in moments], marker=".", color=line.get_color())
        dead = [m.dead_rows for m in moments]
        below.plot(times, dead, linestyle=":", color=line.get_color())
    above.set_ylabel("k")
    below.set_ylabel("rows: in the state, dead (dotted)")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
    above.legend(frameon=False, fontsize="small")
    drawn.autofmt_xdate()
    return drawn
