"""The wheel as a user gets it: built, installed into a clean virtual environment, and run from there."""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pyspark
import pytest
from programs import ADAPTIVE, FILTER, JOIN, STOCK, environment, run_program
from standalone_cluster import WORKERS, standalone_cluster

import streamon
from streamon.jar import line, supported

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python"
SPARKS = supported()
EXTENSION = "spark.sql.extensions=org.streamon.spark.StreamonExtensions"

QUERY = FILTER + JOIN + "spark.stop()\n"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder for the half gigabyte that an installed Spark takes, gone when the module's tests are."""
    with TemporaryDirectory(prefix="streamon-wheel-") as name:
        yield Path(name)


@pytest.fixture(scope="module")
def scripts(wheel: Path, folder: Path) -> Path:
    """The bin folder of a virtual environment that holds the wheel and what it depends on."""
    venv.create(folder / "venv", with_pip=True)
    found = folder / "venv" / "bin"
    spark = f"pyspark=={pyspark.__version__}"
    subprocess.run([found / "pip", "install", "--no-compile", wheel, spark], check=True, capture_output=True)
    return found


def test_carries_the_whole_package_and_a_jar_for_each_spark(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    sources = {str(file.relative_to(PACKAGE)) for file in (PACKAGE / "streamon").rglob("*.py")}
    jars = {f"streamon/jars/{streamon.jar_path(spark).name}" for spark in SPARKS}
    wanted = sources | {"streamon/py.typed"} | jars
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.parametrize("spark", SPARKS)
def test_a_jar_of_the_wheel_has_the_extension_and_no_scala_library(
    wheel: Path, folder: Path, spark: str
) -> None:
    jar = ZipFile(ZipFile(wheel).extract(f"streamon/jars/{streamon.jar_path(spark).name}", folder))
    names = jar.namelist()
    service = "META-INF/services/org.apache.spark.sql.SparkSessionExtensionsProvider"
    assert jar.read(service).decode().split() == ["org.streamon.spark.StreamonExtensions"]
    classes = [name for name in names if name.endswith(".class")]
    ours = ("org/streamon/core/", "org/streamon/spark/", "org/apache/spark/sql/streamon/")
    assert classes
    assert [name for name in classes if not name.startswith(ours)] == []


@pytest.mark.network
def test_configure_from_the_installed_wheel(scripts: Path, tmp_path: Path) -> None:
    source = "spark = streamon.configure(builder).getOrCreate()" + QUERY
    done = run_program(source, scripts=scripts, folder=tmp_path)
    assert done.stdout == ADAPTIVE, done.stderr


@pytest.mark.network
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
    assert done.stdout == ADAPTIVE, done.stderr


ON_A_CLUSTER = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
"""

HOSTS = """
infos = spark._jsc.sc().statusTracker().getExecutorInfos()
print("on", *sorted({info.host() for info in infos} - {"127.0.0.1"}))
spark.stop()
"""
"""On which hosts a session has executors."""


@pytest.mark.network
def test_spark_submit_to_a_standalone_cluster(scripts: Path, tmp_path: Path) -> None:
    jar = subprocess.check_output([scripts / "streamon", "jar"], text=True).removesuffix("\n")
    confs = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "1g",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        "spark.cores.max": str(len(WORKERS)),
        "spark.sql.shuffle.partitions": "2",
    }
    given = [word for key, value in confs.items() for word in ("--conf", f"{key}={value}")]
    with standalone_cluster(scripts, tmp_path) as address:
        submit = ("spark-submit", "--master", address, "--jars", jar, *given)
        done = run_program(
            FILTER + JOIN + HOSTS, scripts=scripts, folder=tmp_path, with_command=submit, start=ON_A_CLUSTER
        )
    assert done.stdout == f"{ADAPTIVE}on {' '.join(WORKERS)}\n", done.stderr


@pytest.mark.network
@pytest.mark.parametrize("jars", ["another", "both"])
def test_the_jar_for_another_spark_does_nothing_but_say_so(scripts: Path, tmp_path: Path, jars: str) -> None:
    another = next(spark for spark in SPARKS if spark != line(pyspark.__version__))
    named = [streamon.jar_path(another), *([streamon.jar_path()] if jars == "both" else [])]
    submit = ("spark-submit", "--jars", ",".join(map(str, named)))
    source = "spark = builder.getOrCreate()" + QUERY.replace("spark.stop()", ASK)
    done = run_program(source, scripts=scripts, folder=tmp_path, with_command=submit)
    here = line(pyspark.__version__)
    wanted = "use the jar for" if jars == "another" else "keep only the jar for"
    found_by = f"whose path `streamon jar --spark {here}` prints"
    wanted = f"so it does nothing here: {wanted} Spark {here}, {found_by}.\n"
    first, second, *said = done.stdout.splitlines(keepends=True)
    assert first + second == STOCK, done.stderr
    assert len(said) == 2
    assert all(text.endswith(wanted) for text in said), said
    assert done.stderr.count(wanted) == 1


ASK = """
for ask in (streamon.explain, lambda frame: streamon.configure(SparkSession.builder)):
    try:
        ask(frame)
    except streamon.errors.SparkVersionError as error:
        print(error)
spark.stop()
"""
"""What the Python package says where its jar does nothing."""


@pytest.mark.network
def test_a_later_spark_is_left_alone(scripts: Path, tmp_path: Path) -> None:
    """What the file says by which Spark knows its own version is what StreaMon goes by."""
    (tmp_path / "spark-version-info.properties").write_text("version=4.9.0-preview\n")
    submit = ("spark-submit", "--jars", str(streamon.jar_path()), "--driver-class-path", str(tmp_path))
    source = "spark = builder.getOrCreate()" + QUERY
    done = run_program(source, scripts=scripts, folder=tmp_path, with_command=submit)
    assert done.stdout == STOCK, done.stderr
    assert done.stderr.count(f"is for Spark {' and '.join(SPARKS)} and this is Spark 4.9.0-preview") == 1


CHECKS = ["StreaMon", "Python", "Java", "Spark", "jar", "session", "filter", "RocksDB", "MJoin"]


@pytest.mark.network
def test_the_doctor_finds_it_well(scripts: Path, tmp_path: Path) -> None:
    command = [scripts / "streamon", "doctor"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment(scripts, tmp_path), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        f"✓ {name}" for name in [*CHECKS, "checkpoint files"]
    ]


@pytest.mark.network
def test_the_wheel_brings_nothing_but_spark(scripts: Path) -> None:
    listed = subprocess.check_output([scripts / "pip", "list", "--format=freeze"], text=True)
    names = {line.split("==")[0] for line in listed.splitlines()}
    assert names - {"pip", "setuptools", "wheel"} == {"streamon", "pyspark", "py4j"}
