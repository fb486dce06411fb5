"""Which jar belongs to which Spark, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamon
from streamon.errors import JarError, SparkVersionError
from streamon.jar import supported


@pytest.fixture
def jars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of jars."""
    monkeypatch.setattr("streamon.jar.JARS", tmp_path)
    return tmp_path


@pytest.fixture
def carried(jars: Path) -> Path:
    """A folder with jars for three Sparks, and with what is none of them."""
    for spark in ("4.10", "4.2", "4.3"):
        (jars / f"streamon-spark-{spark}_2.13-{streamon.version()}.jar").touch()
    for other in ("streamon-spark-4.1_2.13-0.0.1.jar", "other.jar"):
        (jars / other).touch()
    return jars


def test_the_lines_are_those_of_the_jars_in_order(carried: Path) -> None:
    assert carried
    assert supported() == ["4.2", "4.3", "4.10"]


@pytest.mark.parametrize("installed", ["4.2.0", "4.2.1", "4.3.0", "4.10.0.dev1"])
def test_the_jar_is_that_for_the_installed_pyspark(
    carried: Path, installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyspark.__version__", installed)
    spark = ".".join(installed.split(".")[:2])
    assert streamon.jar_path() == carried / f"streamon-spark-{spark}_2.13-{streamon.version()}.jar"


@pytest.mark.parametrize("spark", ["4.2", "4.2.1", " 4.2", "4.2.0.dev1"])
def test_the_jar_for_another_spark(carried: Path, spark: str) -> None:
    assert streamon.jar_path(spark).parent == carried
    assert streamon.jar_path(spark).name.startswith("streamon-spark-4.2_2.13-")


def test_an_installed_pyspark_without_a_jar(carried: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert carried
    monkeypatch.setattr("pyspark.__version__", "4.1.4")
    said = r"for Spark 4\.2 and 4\.3 and 4\.10, and this is pyspark 4\.1\.4: .* \"pyspark~=4\.10\.0\""
    with pytest.raises(SparkVersionError, match=said):
        streamon.jar_path()


@pytest.mark.parametrize("spark", ["4.1", "4", "latest", "", "4.2garbage", "4.2.", "4.20"])
def test_a_spark_without_a_jar(carried: Path, spark: str) -> None:
    assert carried
    with pytest.raises(SparkVersionError, match=rf"for Spark 4\.2 .*, and none for Spark `{spark}`: use a"):
        streamon.jar_path(spark)


@pytest.mark.usefixtures("jars")
def test_no_jar_at_all() -> None:
    with pytest.raises(JarError, match="is missing from its package: reinstall StreaMon from its wheel"):
        streamon.jar_path()


def test_jars_of_another_version(jars: Path) -> None:
    (jars / "streamon-spark-4.3_2.13-0.0.1.jar").touch()
    with pytest.raises(JarError, match=r"holds streamon-spark-4\.3_2\.13-0\.0\.1\.jar: reinstall"):
        streamon.jar_path()
