"""`configure`: what it refuses, and what it does to a builder, to a JVM and to a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

import streamon
from streamon import jvm, loading
from streamon.errors import ArgumentError, JarError, NotLoadedError, SparkVersionError
from streamon.state_store import PROVIDER, SETTINGS

HDFS = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"


@pytest.fixture
def _nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a fresh process, whatever session the other tests have open."""
    monkeypatch.setattr(jvm, "running", lambda: None)


@pytest.mark.usefixtures("_nothing_runs")
class TestBeforeTheFirstSession:
    def test_gives_the_same_builder_and_leaves_its_class_and_options(self) -> None:
        """Delta's function accepts no other class."""
        builder = SparkSession.builder.appName("mine")
        assert streamon.configure(builder) is builder
        assert type(builder) is SparkSession.Builder
        assert builder._options == {"spark.app.name": "mine"}

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
    @pytest.mark.parametrize("place", ["before", "after"])
    def test_the_jar_of_another_streamon_is_refused(self, other: str, place: str) -> None:
        own = streamon.jar_path().name.removesuffix(f"-{streamon.version()}.jar")
        other = other.format(version=streamon.version(), line=own)
        builder = SparkSession.builder
        if place == "after":
            builder = streamon.configure(builder)
        builder.config("spark.jars", f"/a.jar,{other}")
        with pytest.raises(JarError, match=f"have {re.escape(other)}, and on pyspark .*: take the first out"):
            streamon.configure(builder).getOrCreate()

    @pytest.mark.parametrize("own", ["file:{}", "{}", "/another/place/{name}", "file:///a%20b/{name}"])
    def test_naming_its_jar_does_no_harm(self, own: str) -> None:
        jars = "/a.jar," + own.format(streamon.jar_path(), name=streamon.jar_path().name)
        builder = SparkSession.builder.config("spark.jars", jars)
        assert streamon.configure(builder)._options["spark.jars"] == jars


@pytest.mark.parametrize(
    ("given", "got"),
    [
        (None, "None"),
        (7, "7"),
        ("local", "'local'"),
        (SparkSession, "the class SparkSession"),
        (SparkSession.Builder, "the class Builder"),
    ],
)
def test_what_is_no_builder_is_refused(given: Any, got: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        streamon.configure(given)
    accepted = "streamon.configure accepts a session builder such as SparkSession.builder"
    assert str(refused.value) == f"{accepted}, not {got}."


def test_a_session_is_no_builder(anywhere: SparkSession) -> None:
    with pytest.raises(TypeError, match=r"not an object of type SparkSession\."):
        streamon.configure(anywhere)  # type: ignore[arg-type]


def test_rocksdb_is_true_or_false() -> None:
    with pytest.raises(ArgumentError, match=r"rocksdb=\.\.\.\) accepts True or False, not 'yes'\."):
        streamon.configure(SparkSession.builder, rocksdb="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("spark", [4.3, 4, b"4.3"])
def test_the_version_of_a_jar_is_text(spark: Any) -> None:
    with pytest.raises(ArgumentError, match=r'jar_path accepts a version of Spark as text such as "4\.3"'):
        streamon.jar_path(spark)


@pytest.mark.usefixtures("spark")
def test_a_session_without_the_jar_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamon.jvm.LINE", "org.streamon.spark.NoSuchClass")
    with pytest.raises(NotLoadedError, match=r"stop it with spark\.stop\(\) and call streamon\.configure"):
        streamon.configure(SparkSession.builder)


def test_a_jvm_that_takes_no_jar_is_refused(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamon.jvm.LINE", "org.streamon.spark.NoSuchClass")
    virtual = spark._jvm
    assert virtual is not None
    thread = virtual.java.lang.Thread.currentThread()
    loader = thread.getContextClassLoader()
    thread.setContextClassLoader(virtual.java.lang.ClassLoader.getSystemClassLoader())
    try:
        with pytest.raises(NotLoadedError, match="takes no jar any more, since spark-submit did not"):
            loading.load(virtual, streamon.jar_path())
    finally:
        thread.setContextClassLoader(loader)


@pytest.fixture
def store(anywhere: SparkSession) -> Iterator[SparkSession]:
    """A session, classic or of Spark Connect, whose settings of state stores are forgotten in the end."""
    yield anywhere
    for key in SETTINGS:
        anywhere.conf.unset(key)


def builder_of(session: SparkSession) -> SparkSession.Builder:
    """A builder whose `getOrCreate` gives that session, the active one of its kind."""
    return type(session).builder


def stores(session: SparkSession) -> dict[str, str]:
    return {key: value for key, value in session.conf.getAll.items() if key in SETTINGS}


def test_rocksdb_in_a_session_that_runs(store: SparkSession) -> None:
    assert streamon.configure(builder_of(store)).getOrCreate() is store
    assert stores(store) == {}
    assert streamon.configure(builder_of(store), rocksdb=True).getOrCreate() is store
    assert stores(store) == SETTINGS


def test_configure_again_does_not_take_rocksdb_back(store: SparkSession) -> None:
    streamon.configure(streamon.configure(builder_of(store), rocksdb=True)).getOrCreate()
    assert stores(store) == SETTINGS


def test_rocksdb_leaves_what_the_session_has(store: SparkSession) -> None:
    store.conf.set(PROVIDER, HDFS)
    streamon.configure(builder_of(store), rocksdb=True).getOrCreate()
    assert stores(store) == SETTINGS | {PROVIDER: HDFS}


@pytest.mark.parametrize("place", ["before", "after"])
def test_rocksdb_leaves_what_the_builder_says(store: SparkSession, place: str) -> None:
    builder = builder_of(store)
    if place == "before":
        builder = streamon.configure(builder.config(PROVIDER, HDFS), rocksdb=True)
    else:
        builder = streamon.configure(builder, rocksdb=True).config(PROVIDER, HDFS)
    assert builder.getOrCreate() is store
    assert stores(store) == SETTINGS | {PROVIDER: HDFS}
