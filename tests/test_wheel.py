"""The wheel as a user gets it: built, installed into a clean virtual environment, and run from there."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
from programs import environment, run_program

import streamon

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python"
EXTENSION = "spark.sql.extensions=org.streamon.spark.StreamonExtensions"

QUERY = """
frame = spark.sql('''
    SELECT /*+ ADAPTIVE_FILTER */ id FROM range(1000)
    WHERE CAST(id AS STRING) RLIKE '^[0-9]*5$' AND id % 3 = 0''')
plan = frame._jdf.queryExecution().executedPlan().toString()
print("rows", frame.count(), "adaptive", plan.count("AdaptiveFilter"))
spark.stop()
"""
ANSWER = "rows 33 adaptive 1\n"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder for the half gigabyte that an installed Spark takes, gone when the module's tests are."""
    with TemporaryDirectory(prefix="streamon-wheel-") as name:
        yield Path(name)


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, folder: Path) -> Path:
    """The bin folder of a virtual environment that holds the wheel and what it depends on."""
    venv.create(folder / "venv", with_pip=True)
    found = folder / "venv" / "bin"
    subprocess.run([found / "pip", "install", "--no-compile", wheel], check=True, capture_output=True)
    return found


def test_carries_the_whole_package_and_one_jar(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    sources = {str(file.relative_to(PACKAGE)) for file in (PACKAGE / "streamon").rglob("*.py")}
    wanted = sources | {"streamon/py.typed", f"streamon/jars/{streamon.jar_path().name}"}
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_a_jar_of_the_wheel_has_the_extension_and_no_scala_library(wheel: Path, folder: Path) -> None:
    jar = ZipFile(ZipFile(wheel).extract(f"streamon/jars/{streamon.jar_path().name}", folder))
    names = jar.namelist()
    service = "META-INF/services/org.apache.spark.sql.SparkSessionExtensionsProvider"
    assert jar.read(service).decode().split() == ["org.streamon.spark.StreamonExtensions"]
    classes = [name for name in names if name.endswith(".class")]
    ours = ("org/streamon/core/", "org/streamon/spark/", "org/apache/spark/sql/streamon/")
    assert classes
    assert [name for name in classes if not name.startswith(ours)] == []


def test_configure_from_the_installed_wheel(scripts: Path, tmp_path: Path) -> None:
    source = "spark = streamon.configure(builder).getOrCreate()" + QUERY
    done = run_program(source, scripts=scripts, folder=tmp_path)
    assert done.stdout == ANSWER, done.stderr


@pytest.mark.parametrize(
    ("extension", "session"),
    [
        pytest.param((), "builder", id="by ServiceLoader alone"),
        pytest.param(("--conf", EXTENSION), "builder", id="named as well"),
        pytest.param(("--conf", EXTENSION), "streamon.configure(builder)", id="and configured too"),
    ],
)
def test_spark_submit_with_the_jar(
    scripts: Path, tmp_path: Path, extension: tuple[str, ...], session: str
) -> None:
    jar = subprocess.check_output([scripts / "streamon", "jar"], text=True).removesuffix("\n")
    assert Path(jar).is_relative_to(scripts.parent)
    submit = ("spark-submit", "--jars", jar, *extension)
    done = run_program(
        f"spark = {session}.getOrCreate()" + QUERY, scripts=scripts, folder=tmp_path, with_command=submit
    )
    assert done.stdout == ANSWER, done.stderr


def test_the_doctor_finds_it_well(scripts: Path, tmp_path: Path) -> None:
    command = [scripts / "streamon", "doctor"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment(scripts, tmp_path), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        f"✓ {name}" for name in ("StreaMon", "Python", "Java", "Spark", "jar", "query")
    ]


@pytest.mark.parametrize("command", ["demo", "bench"])
def test_without_the_extra_a_command_names_it(scripts: Path, command: str) -> None:
    done = subprocess.run([scripts / "streamon", command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert 'pip install "streamon[lab]"' in done.stderr
