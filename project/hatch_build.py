"""Refuses to build a distribution that does not carry the jars of its own version, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class OneJarForEachSpark(BuildHookInterface):
    """An editable install is let through: there the jars are built, and rebuilt, after the install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Raise when python/streamon/jars holds anything but the jars that belong to this version."""
        if version == "editable":
            return
        lines = Path(self.root, "project/spark-lines").read_text(encoding="utf-8").splitlines()
        sparks = sorted(line.split()[0] for line in lines if not line.startswith("#"))
        wanted = [f"streamon-spark-{spark}_2.13-{self.metadata.version}.jar" for spark in sparks]
        found = sorted(jar.name for jar in Path(self.root, "python/streamon/jars").glob("*.jar"))
        if found != wanted:
            raise RuntimeError(
                f"python/streamon/jars must hold {' and '.join(wanted)} and nothing else, but holds "
                f"{', '.join(found) or 'no jar'}: run `make jar` and build again."
            )
