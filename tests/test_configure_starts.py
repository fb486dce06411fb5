"""`configure` in processes of their own, where Spark starts with jars and settings of the user's."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from zipfile import ZipFile

import pytest
from programs import FILTER, run_program

import streamon
from streamon.state_store import PROVIDER, SETTINGS

SCRIPTS = Path(sys.executable).parent

START = """
import streamon
from pyspark.sql import SparkSession

def build(builder):
    return builder.master("local[1]").config("spark.ui.enabled", "false")
"""

TELL = (
    FILTER
    + """
driver = spark._jvm.Thread.currentThread().getContextClassLoader()
print("driver", *sorted(name for name in NAMES if driver.getResource(f"{name}.txt") is not None))
served = spark.sparkContext._jsc.sc().listJars().mkString(",").split(",")
print("executors", *sorted(uri.rsplit("/", 1)[-1] for uri in served))
print("extensions", spark.conf.get("spark.sql.extensions", None))
"""
)
"""The filter, the jars of the driver, by a file in each, those that executors get, and the extensions."""

ADAPTIVE = "rows 33 adaptive 1"


@pytest.fixture
def jars(tmp_path: Path) -> dict[str, Path]:
    """Jars of a user, each with a text file of its name, in a folder with a character that separates."""
    folder = tmp_path / "data" / "v=1"
    folder.mkdir(parents=True)
    made = {name: folder / f"{name}.jar" for name in ("one", "two")}
    for name, jar in made.items():
        with ZipFile(jar, "w") as zipped:
            zipped.writestr(f"{name}.txt", name)
    return made


def told(program: str, folder: Path, jars: dict[str, Path], **variables: str) -> dict[str, list[str]]:
    """What a program says, by the first word of its lines."""
    setting = "".join(f"os.environ[{key!r}] = {value!r}\n" for key, value in variables.items())
    start = f"import os\n{setting}NAMES = {list(jars)}\n" + START
    done = run_program(dedent(program) + TELL, scripts=SCRIPTS, folder=folder, start=start)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert ADAPTIVE in lines, done.stdout + done.stderr
    return {words[0]: words[1:] for words in map(str.split, lines)}


OWN = streamon.jar_path().name


def test_a_properties_file_stays(tmp_path: Path, jars: dict[str, Path]) -> None:
    """By the rules of java.util.Properties: separators, comments, lines that go on."""
    (tmp_path / "ours.properties").write_text(
        f"spark.jars {jars['one']},\\\n    {jars['two']}\n! ours\nspark.sql.extensions: no.such.Extension\n"
    )
    program = "spark = build(streamon.configure(SparkSession.builder)).getOrCreate()"
    given = f"--properties-file {tmp_path}/ours.properties pyspark-shell"
    found = told(program, tmp_path, jars, PYSPARK_SUBMIT_ARGS=given)
    assert found["driver"] == ["one", "two"]
    assert found["executors"] == sorted([OWN, "one.jar", "two.jar"])
    assert found["extensions"] == ["no.such.Extension"]


def test_spark_defaults_stay(tmp_path: Path, jars: dict[str, Path]) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text(
        f"# ours\nspark.jars {jars['one']}\nspark.sql.extensions: no.such.Extension\n"
    )
    program = "spark = streamon.configure(build(SparkSession.builder)).getOrCreate()"
    found = told(program, tmp_path, jars, SPARK_CONF_DIR=str(tmp_path / "conf"))
    assert found["driver"] == ["one"]
    assert found["executors"] == sorted([OWN, "one.jar"])
    assert found["extensions"] == ["no.such.Extension"]


IVY = """
<ivysettings>
  <settings defaultResolver="files"/>
  <resolvers>
    <filesystem name="files" m2compatible="true">
      <ivy pattern="{0}/[module]-[revision].pom"/>
      <artifact pattern="{0}/[module]-[revision].[ext]"/>
    </filesystem>
  </resolvers>
</ivysettings>
"""

POM = """
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>user</groupId><artifactId>one</artifactId><version>1</version>
</project>
"""


@pytest.mark.parametrize("place", ["before", "after"])
def test_packages_stay(tmp_path: Path, jars: dict[str, Path], place: str) -> None:
    """As Delta's `configure_spark_with_delta_pip` names them, which checks the class of the builder."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    jars["one"].rename(shelf / "one-1.jar")
    (shelf / "one-1.pom").write_text(POM)
    (tmp_path / "ivy.xml").write_text(IVY.format(shelf))
    program = f"""
        def with_delta(builder):
            if type(builder) is not SparkSession.Builder:
                raise TypeError(type(builder))
            return builder.config("spark.jars.packages", "user:one:1")

        builder = with_delta(SparkSession.builder) if {place == "before"} else SparkSession.builder
        builder = streamon.configure(builder)
        builder = builder if {place == "before"} else with_delta(builder)
        builder.config("spark.jars.ivySettings", {str(tmp_path / "ivy.xml")!r})
        builder.config("spark.jars.ivy", {str(tmp_path / "ivy")!r}).config("spark.jars", {str(jars["two"])!r})
        spark = build(builder.config("spark.sql.extensions", "no.such.Extension")).getOrCreate()
    """
    found = told(program, tmp_path, jars)
    assert found["driver"] == ["one", "two"]
    assert found["executors"] == sorted([OWN, "two.jar", "user_one-1.jar"])
    assert found["extensions"] == ["no.such.Extension"]


def test_the_jars_of_submit_args_and_of_the_builder_stay(tmp_path: Path, jars: dict[str, Path]) -> None:
    """Spark itself gives the driver those of `--jars` alone, and executors those of the builder alone."""
    program = f"""
        builder = streamon.configure(streamon.configure(SparkSession.builder))
        spark = build(builder.config("spark.jars", {str(jars["two"])!r})).getOrCreate()
    """
    given = f"--jars {jars['one']} --conf spark.sql.extensions=no.such.Extension pyspark-shell"
    found = told(program, tmp_path, jars, PYSPARK_SUBMIT_ARGS=given)
    assert found["driver"] == ["one"]
    assert found["executors"] == sorted([OWN, "one.jar", "two.jar"])
    assert found["extensions"] == ["no.such.Extension"]


@pytest.mark.parametrize(
    ("given", "provider"),
    [("", SETTINGS[PROVIDER]), (f"--conf {PROVIDER}=a.B", "a.B")],
)
def test_rocksdb_leaves_what_submit_args_say(tmp_path: Path, given: str, provider: str) -> None:
    """A session that is made of the first has the settings too."""
    program = """
        spark = build(streamon.configure(SparkSession.builder, rocksdb=True)).getOrCreate()
        print(sorted(i for i in spark.newSession().conf.getAll.items() if ".stateStore." in i[0]))
    """
    start = f"import os\nos.environ['PYSPARK_SUBMIT_ARGS'] = '{given} pyspark-shell'\n" + START
    done = run_program(dedent(program), scripts=SCRIPTS, folder=tmp_path, start=start)
    assert done.stdout.strip() == str(sorted((SETTINGS | {PROVIDER: provider}).items())), done.stderr


def test_after_a_session_without_streamon(tmp_path: Path, jars: dict[str, Path]) -> None:
    """The JVM stays, and takes the jar. So do its later sessions, which nobody configures."""
    program = """
        build(SparkSession.builder).getOrCreate().stop()
        build(streamon.configure(SparkSession.builder)).getOrCreate().stop()
        spark = build(SparkSession.builder).getOrCreate()
    """
    assert told(program, tmp_path, jars)["executors"] == [OWN]


def test_a_program_of_spark_submit_needs_no_jars(tmp_path: Path) -> None:
    source = "spark = build(streamon.configure(SparkSession.builder)).getOrCreate()" + FILTER
    done = run_program(source, scripts=SCRIPTS, folder=tmp_path, with_command=("spark-submit",), start=START)
    assert done.stdout.splitlines() == [ADAPTIVE], done.stderr


def test_a_local_server_of_spark_connect(tmp_path: Path) -> None:
    """SPARK_TESTING lets PySpark pick a port."""
    program = """
        import os

        os.environ |= {"SPARK_TESTING": "1", "SPARK_REMOTE": "local[1]"}
        builder = streamon.configure(SparkSession.builder, rocksdb=True).remote("local[1]")
        spark = builder.config("spark.ui.enabled", "false").getOrCreate()
        frame = spark.sql("SELECT /*+ ADAPTIVE_FILTER */ id FROM range(9) WHERE id > 3 AND id < 6")
        print(type(spark).__module__, frame.count(), streamon.stats(spark).count() > 0)
        print(spark.conf.get("spark.sql.streaming.stateStore.providerClass").rsplit(".", 1)[-1])
    """
    done = run_program(dedent(program), scripts=SCRIPTS, folder=tmp_path, start=START)
    assert done.stdout.splitlines() == [
        "pyspark.sql.connect.session 2 True",
        "RocksDBStateStoreProvider",
    ], done.stderr
