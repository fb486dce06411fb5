"""What a machine lacks is said in one sentence; the build takes Maven or sbt, whichever there is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A bin folder with all that is needed, each tool a stand-in; a test takes away or replaces one."""
    for tool in ("bash", "dirname", "sed", "head"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    stand_in(tmp_path / "java", "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2")
    stand_in(tmp_path / "mvn", "exit 1")
    stand_in(tmp_path / "python3", f'exec "{sys.executable}" "$@"')
    return tmp_path


def stand_in(path: Path, script: str) -> None:
    path.write_text(f"#!{shutil.which('bash')}\n{script}\n")
    path.chmod(0o755)


def said_on(machine: Path) -> tuple[int, str]:
    """Exit code and message of the check, with nothing but the machine's tools to be found."""
    command = [machine / "bash", ROOT / "project" / "check-tools"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": str(machine)}, check=False)
    return done.returncode, done.stderr


def test_a_machine_that_has_all_hears_nothing(machine: Path) -> None:
    assert said_on(machine) == (0, "")


def test_a_later_java_does(machine: Path) -> None:
    stand_in(machine / "java", "echo 'openjdk version \"25\" 2025-09-16' >&2")
    assert said_on(machine) == (0, "")


def test_sbt_does_instead_of_maven(machine: Path) -> None:
    (machine / "mvn").rename(machine / "sbt")
    assert said_on(machine) == (0, "")


@pytest.mark.parametrize(
    ("tool", "instead", "sentence"),
    [
        ("java", None, "Java is missing: install a JDK 17 or later"),
        ("java", "echo 'java version \"1.8.0_402\"' >&2", "Java 8 is too old for Spark 4: install a JDK 17"),
        ("java", "echo 'openjdk version \"11.0.2\"' >&2", "Java 11 is too old for Spark 4: install a JDK 17"),
        ("python3", None, "Python is missing: install Python 3.10 or later"),
        ("python3", "echo '3.8 0'", "Python 3.8 is too old: install Python 3.10 or later"),
        ("python3", '[[ "$2" == *ensurepip* ]] && exit 1; echo "3.12 1"', "install its venv module"),
        ("mvn", None, "Maven and sbt are both missing: install either"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(
    machine: Path, tool: str, instead: str | None, sentence: str
) -> None:
    (machine / tool).unlink()
    if instead is not None:
        stand_in(machine / tool, instead)
    code, said = said_on(machine)
    assert code == 1
    assert sentence in said
    assert said.count("\n") == 1


def test_without_maven_the_build_starts_the_installed_sbt(machine: Path) -> None:
    (machine / "mvn").unlink()
    stand_in(machine / "sbt", 'echo "sbt $*"')
    command = [machine / "bash", ROOT / "sbt", "spark/package"]
    environment = {"PATH": str(machine), "HOME": str(machine)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.startswith("sbt -Dsbt.override.build.repos=true ")
    assert done.stdout.endswith(" spark/package\n")


BUILT = [
    *(
        ".venv/bin/python",
        ".venv-4.2.0/bin/python",
        "build/demo.html",
        "dist/streamon.whl",
        "target/maven/a.pom",
    ),
    *("project/target/a.class", "project/project/target/a.class", "jvm/core/target/a.class"),
    *("jvm/spark/target/4.3/a.class", "python/streamon/jars/a.jar", "python/streamon/__pycache__/a.pyc"),
    *("tests/__pycache__/a.pyc", "python/streamon.egg-info/PKG-INFO", ".mypy_cache/a", ".pytest_cache/a"),
    *(".ruff_cache/a", ".hypothesis/a", ".bsp/sbt.json", ".bloop/a", ".metals/a", "spark-warehouse/t/a"),
    *("jvm/spark/spark-warehouse/t/a", "metastore_db/a", "derby.log"),
]
"""Files of every kind that a build, the tests and the demo leave."""


def test_clean_removes_everything_that_git_ignores_and_nothing_else(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        return subprocess.check_output(["git", "-C", str(tmp_path), *arguments], text=True)

    git("init", "--quiet")
    for file in ("Makefile", ".gitignore", "VERSION", "build.sbt", "project/spark-lines"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    for folder in ("jvm/core/src/main", "jvm/spark/src/main", "jvm/lab/src/main", "python/streamon_worker"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "kept").touch()
    git("add", "--all")
    before = git("status", "--porcelain", "--ignored")
    for file in BUILT:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert set(git("status", "--porcelain", "--ignored").splitlines()) - set(before.splitlines()) != set()
    assert "?? " not in git("status", "--porcelain"), "git does not ignore something that is built"
    subprocess.run(["make", "clean"], cwd=tmp_path, check=True, capture_output=True)
    assert git("status", "--porcelain", "--ignored") == before


SPARKS = sorted(
    tuple(int(part) for part in text.split()[0].split("."))
    for text in (ROOT / "project/spark-lines").read_text("utf-8").splitlines()
    if not text.startswith("#")
)
VERSION = (ROOT / "VERSION").read_text("utf-8").strip()
OWN = [f"streamon-spark-{major}.{minor}_2.13-{VERSION}.jar" for major, minor in SPARKS]


@pytest.mark.parametrize(
    "jars", [[], OWN[:1], [OWN[0], "streamon-spark-4.3_2.13-0.0.1.jar"], [*OWN, "another.jar"]]
)
def test_a_wheel_without_exactly_its_own_jars_is_refused(tmp_path: Path, jars: list[str]) -> None:
    copy = tmp_path / "checkout"
    for part in ("python", "project"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("*.jar", "target", "project"))
    for file in ("pyproject.toml", "VERSION", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, copy / file)
    (copy / "python/streamon/jars").mkdir(exist_ok=True)
    for jar in jars:
        (copy / "python/streamon/jars" / jar).touch()
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(copy)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode != 0
    assert f"must hold {' and '.join(OWN)} and nothing else" in done.stdout + done.stderr


def test_the_extras_take_the_sparks_that_there_are_jars_for() -> None:
    """From the first line up to the one after the last."""
    (first, (major, last)) = (SPARKS[0], SPARKS[-1])
    wanted = f">={first[0]}.{first[1]},<{major}.{last + 1}"
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    for extra, pyspark in {
        "spark": "pyspark",
        "connect": "pyspark[connect]",
        "client": "pyspark-client",
    }.items():
        assert pyspark + wanted in extras[extra]
