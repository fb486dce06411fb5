"""`streamon-lab lab` starts the Java program as told and shows how far it is; a stand-in is Java here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import streamon
import streamon_lab

ROOT = Path(__file__).parents[1]

JAVA = """#!{bash}
if [ "$1" = -version ]; then echo 'openjdk version "17.0.15"' >&2; exit; fi
printf '%s\\n' "$@"
echo "progress 1 2 first figure" >&2
echo "something to know" >&2
echo "progress 2 2 second figure" >&2
exit {code}
"""


def lab(folder: Path, code: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    java = folder / "bin" / "java"
    java.parent.mkdir()
    java.write_text(JAVA.format(bash=shutil.which("bash"), code=code))
    java.chmod(0o755)
    command = [sys.executable, "-m", "streamon_lab.cli", "lab", *arguments]
    environment = {"PATH": os.environ["PATH"], "JAVA_HOME": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_options_are_passed_on_and_the_results_are_all_there_is_on_stdout(tmp_path: Path) -> None:
    done = lab(tmp_path, 0, "filters", "--quick", "--json", "out.json", "--only", "4.11", "--only", "4.12")
    assert done.returncode == 0, done.stderr
    flag, classpath, main, *passed = done.stdout.splitlines()
    jar, scala = classpath.split(":")
    assert (flag, main) == ("-cp", "org.streamon.lab.Main")
    assert Path(jar) == ROOT / "jvm/lab/target/streamon-lab.jar"
    assert Path(scala).name.startswith("scala-library-2.13.")
    assert Path(scala).is_file()
    assert passed == ["filters", "--quick", "--json", "out.json", "--only", "4.11", "--only", "4.12"]


def test_the_help_names_every_lab_that_the_program_knows() -> None:
    command = [sys.executable, "-m", "streamon_lab.cli", "lab", "--help"]
    said = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"}
    )
    source = ROOT / "jvm/lab/src/main/scala/org/streamon/lab"
    names = [
        name
        for file in source.glob("*Lab.scala")
        for name in re.findall(r'val name = "(\w+)"', file.read_text("utf-8"))
    ]
    assert len(names) == 6
    assert all(name in said.stdout for name in names), said.stdout


def test_the_jars_for_users_have_nothing_of_the_lab() -> None:
    jars = list((ROOT / "python/streamon/jars").glob("*.jar"))
    assert len(jars) == len(streamon.jar.supported())
    for jar in jars:
        with ZipFile(jar) as classes:
            assert not [name for name in classes.namelist() if "/lab/" in name], jar.name


def test_where_there_is_no_checkout_it_says_where_the_lab_runs(tmp_path: Path) -> None:
    library = tmp_path / "lib" / "python3"
    for package in (streamon, streamon_lab):
        source = Path(str(package.__file__)).parent
        ignored = shutil.ignore_patterns("jars", "__pycache__")
        shutil.copytree(source, library / source.name, ignore=ignored)
    command = [sys.executable, "-m", "streamon_lab.cli", "lab"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(library)}
    said = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=tmp_path)
    assert said.returncode == 1
    assert "The lab runs only from a source checkout" in said.stderr


def test_progress_is_shown_as_a_bar_and_the_rest_as_it_is(tmp_path: Path) -> None:
    said = lab(tmp_path, 0).stderr
    assert "something to know" in said
    assert "progress 1 2" not in said


@pytest.mark.parametrize("code", [1, 2])
def test_the_exit_code_is_the_programs(tmp_path: Path, code: int) -> None:
    assert lab(tmp_path, code).returncode == code
