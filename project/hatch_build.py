"""Refuses to build a distribution that does not carry exactly the jar of its own version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class OneJar(BuildHookInterface):
    """An editable install is let through: there the jar is built, and rebuilt, after the install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Raise when python/streamon/jars holds anything but the one jar that belongs to this version."""
        if version == "editable":
            return
        wanted = f"streamon-spark-4.2_2.13-{self.metadata.version}.jar"
        found = sorted(jar.name for jar in Path(self.root, "python/streamon/jars").glob("*.jar"))
        if found != [wanted]:
            raise RuntimeError(
                f"python/streamon/jars must hold {wanted} and nothing else, but holds "
                f"{', '.join(found) or 'no jar'}: run `make jar` and build again."
            )
