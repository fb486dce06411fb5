"""The readme as a package index shows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ELSEWHERE = r"(?:https?:|mailto:|#)"
PICTURES = (
    re.compile(r"<picture>.*?</picture>\n*", re.DOTALL),
    re.compile(rf"<img\b[^>]*\bsrc=\"(?!{ELSEWHERE})[^>]*>\n*"),
    re.compile(rf"!\[[^\]]*\]\((?!{ELSEWHERE})[^)]*\)\n*"),
)
LINK = re.compile(rf"\[((?:[^\[\]]|\[[^\]]*\])+)\]\((?!{ELSEWHERE})[^)]*\)")


class Readme(MetadataHookInterface):
    """Leave out of README.md what an index cannot follow: pictures and links by relative paths."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme. A link to a file becomes its text."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        for picture in PICTURES:
            text = picture.sub("", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": LINK.sub(r"\1", text)}
