"""On a Spark that StreaMon is not built for, a session with its jar runs as if the jar was not there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from programs import FILTER, JOIN, START, STOCK, environment, run_program

import streamon
from streamon.jar import line, supported

ROOT = Path(__file__).parents[1]
EXTENSION = "spark.sql.extensions=org.streamon.spark.StreamonExtensions"

pytestmark = [pytest.mark.other_sparks, pytest.mark.network]


OTHERS = [version for version in ("3.5.9", "4.0.5", "4.1.4") if line(version) not in supported()]


@pytest.fixture(scope="module", params=OTHERS)
def spark(request: pytest.FixtureRequest) -> str:
    version: str = request.param
    return version


@pytest.fixture(scope="module")
def scripts(spark: str) -> Path:
    """The bin folder of a virtual environment with that pyspark and nothing of StreaMon."""
    install = [ROOT / "project" / "install-spark", spark]
    return Path(subprocess.check_output(install, text=True).removesuffix("\n"), "bin")


@pytest.mark.parametrize("built", supported())
@pytest.mark.parametrize("extension", [(), ("--conf", EXTENSION)], ids=["by ServiceLoader", "named as well"])
def test_queries_run_as_without_the_jar(
    spark: str, scripts: Path, tmp_path: Path, built: str, extension: tuple[str, ...]
) -> None:
    submit = ("spark-submit", "--jars", str(streamon.jar_path(built)), *extension)
    source = "spark = builder.getOrCreate()" + FILTER + JOIN + "spark.stop()\n"
    start = START.replace("import streamon\n", "")
    done = run_program(source, scripts=scripts, folder=tmp_path, with_command=submit, start=start)
    assert done.returncode == 0, done.stderr
    assert done.stdout == STOCK, done.stderr
    # PySpark 3.5 asks no ServiceLoader.
    assert done.stderr.count(said_on(spark)) == (1 if extension or not spark.startswith("3.5") else 0)


@pytest.mark.parametrize("built", supported())
def test_spark_sql_finds_the_jar_by_service_loader(
    spark: str, scripts: Path, tmp_path: Path, built: str
) -> None:
    query = "SELECT /*+ ADAPTIVE_FILTER */ count(*) FROM range(1000) WHERE id % 10 = 5 AND id % 3 = 0"
    command = [scripts / "spark-sql", "--jars", streamon.jar_path(built), "-e", query]
    environ = environment(scripts, tmp_path)
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["33"]
    assert done.stderr.count(said_on(spark)) == 1


def test_configure_says_so_before_a_session_starts(spark: str, scripts: Path, tmp_path: Path) -> None:
    """The package itself, as it lies in the checkout, beside that pyspark."""
    install = [scripts / "pip", "install", "--no-deps", "--editable", str(ROOT)]
    subprocess.run(install, check=True, capture_output=True)
    done = run_program("streamon.configure(builder).getOrCreate()", scripts=scripts, folder=tmp_path)
    assert done.returncode == 1
    said = f"has jars for Spark {' and '.join(supported())}, and this is pyspark {spark}: install a supported"
    assert said in done.stderr.splitlines()[-1]


def said_on(spark: str) -> str:
    return f"is for Spark {' and '.join(supported())} and this is Spark {spark}, so it does nothing here"
