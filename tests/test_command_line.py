"""The command line, as far as it needs no Spark."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import streamon
from streamon.cli.main import app

COMMANDS = ["doctor", "jar", "lab", "demo", "bench"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "streamon.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment or None, check=False)


def test_help_names_every_command() -> None:
    said = CliRunner().invoke(app, ["--help"])
    assert said.exit_code == 0
    assert all(re.search(rf"\b{command}\b", said.stdout) for command in COMMANDS)


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.strip() == streamon.version()


def test_jar_prints_the_path_and_nothing_else() -> None:
    said = run("jar")
    assert Path(said.stdout.removesuffix("\n")) == streamon.jar_path()
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize("command", ["doctor", "lab"])
def test_no_java_is_one_sentence(command: str, tmp_path: Path) -> None:
    said = run(command, PATH="", JAVA_HOME=str(tmp_path))
    assert said.returncode == 1
    assert f"JAVA_HOME={tmp_path} has no bin/java: install a JDK 17 or later" in said.stdout + said.stderr
    assert "Traceback" not in said.stderr


def test_old_java_is_one_sentence(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)
    said = run("lab", PATH="/usr/bin:/bin", JAVA_HOME=str(tmp_path))
    assert said.returncode == 1
    assert "is of release 11, too old for Spark 4: install a JDK 17 or later" in said.stderr
