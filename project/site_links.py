"""A hook of mkdocs: pages of the repository outside docs are part of the site, and links to them lead there.

Links are written for the repository, so that they work in a checkout. A page outside docs has the same path
on the site as in the repository, and docs is the root of the site. A link to anything that is not on the site
becomes its text.

The hook also adds the script that draws diagrams to the pages that have any. Without it the theme loads one
from the internet; where there is none, neither the diagrams nor the search of such a page work. And it says
where long names in tables may break: behind their parts.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
OUTSIDE = ("*.md", "benchmarks/results/*", "examples/*.py", "LICENSE")
"""Files outside docs that are part of the site. The readme is not: the site has a first page of its own."""

FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1[ \t]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)\s]+)\)")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CODE = re.compile(r"(?<=<code>)[^<]*")
JOINT = re.compile(r"(?<=\w)[._/=](?=[A-Za-z])")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#")


def on_files(files: Files, config: Any) -> Files:
    """Add the files outside docs, and the scripts of build/site-scripts."""
    for pattern in OUTSIDE:
        for file in sorted(ROOT.glob(pattern)):
            path = file.relative_to(ROOT).as_posix()
            if path != "README.md":
                files.append(File.generated(config, path, abs_src_path=str(file)))
    for script in sorted((ROOT / "build/site-scripts").glob("*.js")):
        files.append(File.generated(config, f"scripts/{script.name}", abs_src_path=str(script)))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:  # noqa: ARG001
    """Turn links between files of the repository into links between files of the site."""
    uri = page.file.src_uri
    source = uri if page.file.generated_by else f"docs/{uri}"

    def changed(match: re.Match[str]) -> str:
        target, _, fragment = match["target"].partition("#")
        if not target or ELSEWHERE.match(target):
            return match.group()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        on_site = path.removeprefix("docs/")
        if path == on_site and files.get_file_from_path(path) is None:
            return match["text"]
        link = posixpath.relpath(on_site, posixpath.dirname(uri) or ".")
        return f"{match['picture']}[{match['text']}]({link}{'#' if fragment else ''}{fragment})"

    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(changed, markdown[end : fence.start()]), fence.group()]
        end = fence.end()
    return "".join([*parts, LINK.sub(changed, markdown[end:])])


def on_page_content(html: str, page: Page, config: Any, files: Files) -> str:  # noqa: ARG001
    """Say where names in tables may break, and add the script that draws diagrams to pages that have any."""
    html = TABLE.sub(lambda table: CODE.sub(lambda code: JOINT.sub(r"\g<0><wbr>", code[0]), table[0]), html)
    if 'class="mermaid"' not in html:
        return html
    script = posixpath.relpath("scripts/mermaid.tiny.js", posixpath.dirname(page.file.dest_uri) or ".")
    return f'{html}\n<script src="{script}"></script>'
