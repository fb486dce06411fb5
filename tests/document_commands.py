"""The shell commands of pages, compared with what the commands and the Makefile know."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from documents import ROOT, Block

PROMPT = "$ "
STREAMON = re.compile(r"(?:^|[\s(;&|/])(?P<words>streamon(?:-lab)?\s+[^()#;&|]*)")
MAKE = re.compile(r"(?:^|[;&|]\s*)make\s+(?P<words>[^()#;&|]*)")
PIP = re.compile(r"\bpip3? install\s+(?P<words>[^#;&|]*)")
TARGET = re.compile(r"^(?P<names>[A-Za-z][\w.-]*(?:\s+[A-Za-z][\w.-]*)*)\s*:(?!=)", re.MULTILINE)
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def commands(block: Block) -> list[str]:
    """The commands of a block of a console: the lines behind a prompt, continued ones as one."""
    joined = block.source.replace("\\\n", " ")
    return [line.removeprefix(PROMPT) for line in joined.splitlines() if line.startswith(PROMPT)]


def wrong_commands(block: Block, helped: Callable[[tuple[str, ...]], str] | None = None) -> list[str]:
    """What is wrong with the commands of a block, each with its place.

    Args:
        block: a block of any language; only those of a console have commands.
        helped: gives the help of a script for the script's name and those of commands; the installed scripts
            unless told.
    """
    if block.language != "console":
        return []
    found = [] if commands(block) else ["there is no line that starts with `$ `"]
    for command in commands(block):
        for match in STREAMON.finditer(command):
            found += _unknown(shlex.split(match["words"]), helped or help_of)
        for match in MAKE.finditer(command):
            words = [word for word in match["words"].split() if "=" not in word and not word.startswith("-")]
            found += [f"the Makefile has no target `{word}`" for word in words if word not in targets()]
        for match in PIP.finditer(command):
            found += [
                f"`pip install {word}`: the package is in no registry, so name a wheel file"
                for word in shlex.split(match["words"])
                if re.fullmatch(r"streamon(-lab)?(\[.*\])?([=~<>].*)?", word)
            ]
    return [f"{block.place}: {problem}" for problem in found]


@cache
def targets(makefile: Path = ROOT / "Makefile") -> frozenset[str]:
    """The targets that a Makefile names."""
    text = makefile.read_text(encoding="utf-8")
    return frozenset(name for match in TARGET.finditer(text) for name in match["names"].split())


@cache
def help_of(words: tuple[str, ...]) -> str:
    """What `WORDS --help` prints, in this process; nothing where there is no such script."""
    scripts = list(entry_points(group="console_scripts", name=words[0]))
    if not scripts:
        return ""
    before, said = sys.argv, io.StringIO()
    sys.argv = [*words, "--help"]
    try:
        with redirect_stdout(said), redirect_stderr(said):
            scripts[0].load()()
    except SystemExit:
        pass
    finally:
        sys.argv = before
    return ANSI.sub("", said.getvalue())


def _unknown(words: list[str], helped: Callable[[tuple[str, ...]], str]) -> list[str]:
    """Words that are no commands, and options that the command they are given to does not have."""
    path, rest = words[:1], words[1:]
    text = helped(tuple(path))
    if not text:
        return [f"there is no command `{path[0]}`"]
    while rest and not rest[0].startswith("-"):
        if _lists(text, rest[0]):
            path.append(rest.pop(0))
            text = helped(tuple(path))
        elif _has_commands(text):
            return [f"`{' '.join(path)}` has no command `{rest[0]}`"]
        else:
            break
    options = [word.split("=", 1)[0] for word in rest if re.match(r"--?[a-zA-Z]", word)]
    return [
        f"`{' '.join(path)}` has no option `{option}`"
        for option in options
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text)
    ]


def _has_commands(text: str) -> bool:
    """Whether a help says that the next word is a command, as typer and argparse do."""
    return re.search(r"usage:.*(\bCOMMAND\b|\{[\w,-]+\})", text, re.IGNORECASE) is not None


def _lists(text: str, command: str) -> bool:
    """Whether a help names a command: at the start of a line, behind the frame that some have."""
    return re.search(rf"^[\s│|]*{re.escape(command)}(\s|$)", text, re.MULTILINE) is not None
