"""The Markdown files of the project and the code blocks in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
"""The pages whose code blocks are run."""

MARKDOWN = sorted(
    {*PAGES, *ROOT.glob("*.md"), *(ROOT / "benchmarks").rglob("*.md"), *(ROOT / "examples").rglob("*.md")}
)
"""The files whose links are checked."""

RUN = ("python", "sql")
"""Languages of blocks that are run."""

LANGUAGES = {*RUN, "console", "mermaid", "text", "scala", "java", "json", "yaml", "xml", "toml", "properties"}
"""Languages that a block may have. Every block has one, so that no code is left out by mistake."""

FENCE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<info>.*)")
COMMENT = re.compile(r"\s*<!--\s*not run\b(?P<rest>.*?)-->\s*")
REASON = re.compile(r":\s*(\S.*?)\s*")


class BadPageError(AssertionError):
    """A page breaks one of the rules for pages; the message names the page and the line."""


@dataclass(frozen=True)
class Block:
    """A fenced code block.

    Attributes:
        page: the file's path, relative to the root of the repository where it is below it.
        language: the first word behind the opening fence.
        source: the lines between the fences, without the indentation of the fence.
        line: the number of the first of these lines, from 1.
        reason: of the comment `<!-- not run: REASON -->` above it; None where it is run.
    """

    page: str
    language: str
    source: str
    line: int
    reason: str | None

    @property
    def place(self) -> str:
        """Page and line, as editors understand them."""
        return f"{self.page}:{self.line}"


def name_of(page: Path) -> str:
    """The path of a page as messages and test names have it."""
    return str(page.relative_to(ROOT)) if page.is_relative_to(ROOT) else page.name


def blocks(page: Path) -> list[Block]:
    """The code blocks of a page, in order.

    Raises:
        BadPageError: a block is not closed or has an unknown language, or a `not run` comment has no reason
            or does not stand directly above a block.
    """
    name = name_of(page)
    lines = page.read_text(encoding="utf-8").splitlines()
    found = []
    above = None
    at = 0
    while at < len(lines):
        fence = FENCE.fullmatch(lines[at])
        if fence is None:
            _no_comment_without_block(name, lines, at)
            above = lines[at]
            at += 1
            continue
        language = (fence["info"].split() or [""])[0]
        if language not in LANGUAGES:
            raise BadPageError(
                f"{name}:{at + 1}: the block's language is `{language}`. Use one of {sorted(LANGUAGES)}."
            )
        end = _closing(lines, at, fence["marks"])
        if end is None:
            raise BadPageError(f"{name}:{at + 1}: the block is not closed.")
        source = "\n".join(line.removeprefix(fence["indent"]) for line in lines[at + 1 : end]) + "\n"
        found.append(Block(name, language, source, at + 2, _reason(name, above, at)))
        above = None
        at = end + 1
    return found


def prose(page: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a page that are in no code block."""
    marks = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.fullmatch(line)
        if marks is None and fence is not None:
            marks = fence["marks"]
        elif marks is not None:
            if fence is not None and fence["marks"].startswith(marks) and not fence["info"].strip():
                marks = None
        else:
            yield number, line


def _closing(lines: list[str], opening: int, marks: str) -> int | None:
    for at in range(opening + 1, len(lines)):
        fence = FENCE.fullmatch(lines[at])
        if fence is not None and fence["marks"].startswith(marks) and not fence["info"].strip():
            return at
    return None


def _reason(name: str, above: str | None, at: int) -> str | None:
    comment = COMMENT.fullmatch(above or "")
    if comment is None:
        return None
    reason = REASON.fullmatch(comment["rest"])
    if reason is None:
        raise BadPageError(f"{name}:{at}: write the reason: `<!-- not run: REASON -->`.")
    return reason[1]


def _no_comment_without_block(name: str, lines: list[str], at: int) -> None:
    if COMMENT.fullmatch(lines[at]) is None:
        return
    if at + 1 == len(lines) or FENCE.fullmatch(lines[at + 1]) is None:
        raise BadPageError(f"{name}:{at + 1}: a `not run` comment stands directly above a block.")
