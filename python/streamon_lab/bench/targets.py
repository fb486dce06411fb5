"""What is asked of the figures of a summary, and whether they give it."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MEETS = {"<": operator.lt, "<=": operator.le, ">=": operator.ge}

Judged = tuple[str, str, str, bool | None]
"""A figure's name, its value, its target, and whether it is met; None where there is nothing to say."""


@dataclass(frozen=True)
class Target:
    """`relation` is how a figure must stand to `value`: one of `<`, `<=` and `>=`."""

    relation: str
    value: float

    def met(self, figure: float) -> bool:
        """Whether a figure is as it was asked for."""
        return bool(MEETS[self.relation](figure, self.value))

    def __str__(self) -> str:
        return f"{self.relation} {self.value}"


def values(targets: Mapping[str, Target]) -> dict[str, float]:
    """The targets as a result has them."""
    return {name: target.value for name, target in targets.items()}


def judged(summary: Mapping[str, Any], targets: Mapping[str, Target]) -> list[Judged]:
    """Each figure of the summary, what was asked of it, and whether it is met."""
    found: list[Judged] = []
    for name, value in summary.items():
        target = targets.get(name)
        if value is None:
            found.append((name, "not measured", str(target or ""), None))
        elif target is None:
            found.append((name, str(value), "", None))
        else:
            found.append((name, f"{value:.3f}", str(target), target.met(value)))
    return found
