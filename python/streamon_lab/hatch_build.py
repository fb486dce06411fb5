"""Metadata of `streamon-lab`: it depends on `streamon` of its own version."""

from __future__ import annotations

from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class SameVersion(MetadataHookInterface):
    """Put `streamon` of this version before the other dependencies, which the hook's settings list."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        metadata["dependencies"] = [f"streamon[spark]=={metadata['version']}", *self.config["dependencies"]]
