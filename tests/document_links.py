"""The links of Markdown files, and the headings that they may point to."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from documents import name_of, prose

INLINE = re.compile(r"\]\(\s*<?(?P<target>[^\s)>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"\s{0,3}\[[^\]]+\]:\s*<?(?P<target>\S+?)>?\s*")
ATTRIBUTE = re.compile(r"\b(?:href|src|srcset)=\"(?P<target>[^\"]+)\"")
CODE = re.compile(r"`+[^`]*`+")
HEADING = re.compile(r" {0,3}#{1,6}\s+(?P<text>.*?)\s*#*\s*")
ID = re.compile(r"<a\s+(?:id|name)=\"(?P<id>[^\"]+)\"")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere, each with its place and what is missing."""
    found = []
    for number, line in prose(page):
        text = CODE.sub("", line)
        targets = [match["target"] for kind in (INLINE, ATTRIBUTE) for match in kind.finditer(text)]
        defined = DEFINITION.fullmatch(text)
        if defined is not None:
            targets.append(defined["target"])
        for target in targets:
            missing = None if ELSEWHERE.match(target) else _missing(page, target)
            if missing is not None:
                found.append(f"{name_of(page)}:{number}: {target}: {missing}")
    return found


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _missing(page: Path, target: str) -> str | None:
    path, _, fragment = unquote(target).partition("#")
    file = (page.parent / path) if path else page
    if not file.exists():
        return "there is no such file"
    if fragment and (file.suffix != ".md" or fragment not in _anchors(file.resolve())):
        return f"{file.name} has no heading `#{fragment}`"
    return None


@cache
def _anchors(page: Path) -> frozenset[str]:
    found = set()
    for _, line in prose(page):
        heading = HEADING.fullmatch(line)
        if heading is not None:
            found.add(anchor(heading["text"]))
        found |= {match["id"] for match in ID.finditer(line)}
    return frozenset(found)
