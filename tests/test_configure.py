"""`configure` adds the jar and the extension, and takes nothing away."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import streamon
from streamon import jvm
from streamon.errors import JarError, NotLoadedError, SparkVersionError
from streamon.session import EXTENSION
from streamon.submit import VARIABLE, settings


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a fresh process, whatever session the other tests have open."""
    monkeypatch.setattr(jvm, "running", lambda: None)
    monkeypatch.setenv(VARIABLE, "pyspark-shell")


def options(builder: SparkSession.Builder) -> dict[str, Any]:
    return dict(builder._options)


@pytest.mark.usefixtures("nothing_runs")
class TestBeforeTheFirstSession:
    def test_adds_jar_and_extension(self) -> None:
        found = options(streamon.configure(SparkSession.builder))
        assert found == {"spark.jars": str(streamon.jar_path()), "spark.sql.extensions": EXTENSION}

    def test_keeps_what_the_builder_has(self) -> None:
        builder = SparkSession.builder.config("spark.jars", "/a.jar, /b.jar").config(
            "spark.sql.extensions", "a.B"
        )
        found = options(streamon.configure(builder))
        assert found["spark.jars"] == f"/a.jar,/b.jar,{streamon.jar_path()}"
        assert found["spark.sql.extensions"] == f"a.B,{EXTENSION}"

    def test_twice_is_once(self) -> None:
        once = options(streamon.configure(SparkSession.builder))
        assert options(streamon.configure(streamon.configure(SparkSession.builder))) == once

    def test_keeps_what_spark_defaults_say(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
        (tmp_path / "spark-defaults.conf").write_text(
            "# ours\nspark.sql.extensions   a.B\nspark.jars=/a.jar\n"
        )
        found = options(streamon.configure(SparkSession.builder))
        assert found["spark.sql.extensions"] == f"a.B,{EXTENSION}"
        assert found["spark.jars"] == f"/a.jar,{streamon.jar_path()}"

    def test_keeps_what_submit_args_say(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, "--conf spark.sql.extensions=a.B --verbose pyspark-shell")
        found = options(streamon.configure(SparkSession.builder))
        assert found["spark.sql.extensions"] == f"a.B,{EXTENSION}"
        assert os.environ[VARIABLE] == "--conf spark.sql.extensions=a.B --verbose pyspark-shell"

    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ("--jars /a.jar,/b.jar", "/a.jar,/b.jar,"),
            ("--conf spark.jars=/c.jar --jars=/a.jar", "/a.jar,"),
            ("-c 'spark.jars=/a b.jar'", "/a b.jar,"),
            ("--name x --packages a:b:1", ""),
        ],
    )
    def test_jars_of_submit_args_stay(self, said: str, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, f"{said} pyspark-shell")
        before = settings()
        # Twice is once here too.
        found = options(streamon.configure(streamon.configure(SparkSession.builder)))
        assert "spark.jars" not in found
        assert settings() == before | {"spark.jars": f"{kept}{streamon.jar_path()}"}
        assert os.environ[VARIABLE].count("--jars") == said.count("--jars") + 1
        assert os.environ[VARIABLE].endswith(" pyspark-shell")

    def test_jars_of_packages_stay(self) -> None:
        builder = SparkSession.builder.config("spark.jars.packages", "a:b:1")
        assert "spark.jars" not in options(streamon.configure(builder))
        assert settings() == {"spark.jars": str(streamon.jar_path())}

    def test_the_jars_of_a_builder_with_packages_stay(self) -> None:
        builder = SparkSession.builder.config("spark.jars.packages", "a:b:1").config("spark.jars", "/a.jar")
        found = options(streamon.configure(builder))
        assert found["spark.jars"] == settings()["spark.jars"] == f"/a.jar,{streamon.jar_path()}"

    @pytest.mark.parametrize("said", ["", "--jars --verbose pyspark-shell", "--jars '/a.jar pyspark-shell"])
    def test_leaves_wrong_submit_args_to_spark(self, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, said)
        found = options(streamon.configure(SparkSession.builder))
        assert found["spark.jars"] == str(streamon.jar_path())

    def test_leaves_a_connect_builder_alone(self) -> None:
        builder = SparkSession.builder.remote("sc://somewhere")
        assert options(streamon.configure(builder)) == {"spark.remote": "sc://somewhere"}

    def test_another_spark_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pyspark.__version__", "4.1.4")
        with pytest.raises(SparkVersionError, match=r"for Spark 4\.2 and 4\.3, and this is pyspark 4\.1\.4"):
            streamon.configure(SparkSession.builder)

    @pytest.mark.parametrize(
        "other",
        [
            "/x/streamon-spark-4.1_2.13-{version}.jar",
            "s3://b[1]/{line}-9.9.9.jar",
            "file:/x/{line}-0.0.1.jar",
        ],
    )
    @pytest.mark.parametrize("said", ["builder", "submit"])
    def test_the_jar_of_another_streamon_is_refused(
        self, other: str, said: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        own = streamon.jar_path().name.removesuffix(f"-{streamon.version()}.jar")
        other = other.format(version=streamon.version(), line=own)
        builder = SparkSession.builder.config(
            "spark.jars", "/a.jar" if said == "submit" else f"/a.jar,{other}"
        )
        if said == "submit":
            monkeypatch.setenv(VARIABLE, f"--jars {other} pyspark-shell")
        with pytest.raises(JarError, match=f"have {re.escape(other)}, and on pyspark .*: take the first out"):
            streamon.configure(builder)

    @pytest.mark.parametrize("own", ["file:{}", "{}", "/another/place/{name}", "file:///a%20b/{name}"])
    def test_naming_its_jar_does_no_harm(self, own: str) -> None:
        jars = "/a.jar," + own.format(streamon.jar_path(), name=streamon.jar_path().name)
        found = options(streamon.configure(SparkSession.builder.config("spark.jars", jars)))
        assert found["spark.jars"] == jars


@pytest.mark.usefixtures("spark")
def test_a_jvm_without_the_jar_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamon.jvm.LINE", "org.streamon.spark.NoSuchClass")
    with pytest.raises(NotLoadedError, match="restart Python"):
        streamon.configure(SparkSession.builder)
