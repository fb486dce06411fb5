"""Workloads whose data is generated together, with names that are known before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import typer


class Named(Protocol):
    """A workload of any bench."""

    @property
    def name(self) -> str:
        """The name by which `--only` chooses it."""


W = TypeVar("W", bound=Named)


@dataclass(frozen=True)
class Family(Generic[W]):
    """Workloads, of which some may be chosen.

    Attributes:
        names: the workloads that are wanted.
        make: generates the data of all workloads of the family and returns these.
    """

    names: Sequence[str]
    make: Callable[[], Sequence[W]]

    def workloads(self) -> list[W]:
        """The workloads that are wanted; generates the data."""
        return [workload for workload in self.make() if workload.name in self.names]


def chosen(families: Sequence[Family[W]], only: Sequence[str] | None) -> list[Family[W]]:
    """The families with the workloads that `only` names; everything when that is empty.

    Each of `only` is the name of a workload, or else the start of some names: `rules-10` is one workload,
    though others start with it, and `rules-` is all of these.

    Raises:
        typer.BadParameter: one of `only` is the start of no name.
    """
    names = [name for family in families for name in family.names]
    meant = {asked: _meant(asked, names) for asked in only or ()}
    unknown = [asked for asked, found in meant.items() if not found]
    if unknown:
        raise typer.BadParameter(
            f"no workload starts with {' or '.join(unknown)}; allowed are {', '.join(names)}",
            param_hint="--only",
        )
    if not only:
        return list(families)
    wanted = set().union(*meant.values())
    kept = [Family([n for n in family.names if n in wanted], family.make) for family in families]
    return [family for family in kept if family.names]


def _meant(asked: str, names: Sequence[str]) -> set[str]:
    return {asked} if asked in names else {name for name in names if name.startswith(asked)}
