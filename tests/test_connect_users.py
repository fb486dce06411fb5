"""Users of one Connect server: what each sees in the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import streamon

Connect = Callable[[str], SparkSession]


@contextmanager
def session_of(address: str) -> Iterator[SparkSession]:
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    session = RemoteSession.builder.remote(address).create()
    try:
        yield session
    finally:
        session.stop()


@pytest.fixture
def connect(server: str) -> Iterator[Connect]:
    """Connects a user of a name; one without a name is told apart by the session alone."""
    with ExitStack() as sessions:
        yield lambda user: sessions.enter_context(session_of(f"{server}/;user_id={user}" if user else server))


def look_for(spark: SparkSession, secret: str) -> None:
    """Run a filter with a literal of its own."""
    spark.sql(f"""
        SELECT /*+ ADAPTIVE_FILTER('profilingProbability=0.5', 'window=10', 'initialOrder=written') */ id
        FROM range(0, 20000, 1, 1)
        WHERE CAST(id AS STRING) NOT LIKE '%{secret}%' AND id % 100 = 7""").collect()


def seen(spark: SparkSession) -> str:
    """All that the tables of filters hold."""
    return str(streamon.stats(spark).collect()) + str(streamon.decisions(spark).collect())


def test_nobody_sees_the_literals_of_another_user(connect: Connect) -> None:
    alice, bob = connect("alice"), connect("bob")
    look_for(alice, "of alice")
    look_for(bob, "of bob")
    assert "of alice" in str(streamon.stats(alice).collect())
    assert "of alice" in str(streamon.decisions(alice).collect())
    assert "of bob" not in seen(alice)
    assert "of bob" in seen(bob)
    assert "of alice" not in seen(bob)


def test_a_cached_frame_is_seen_by_its_user(connect: Connect) -> None:
    alice, bob = connect("alice"), connect("bob")
    alice.range(20_000).createOrReplaceTempView("some_numbers")
    alice.sql("""CACHE TABLE cached AS SELECT /*+ ADAPTIVE_FILTER */ id FROM some_numbers
        WHERE CAST(id AS STRING) NOT LIKE '%of a cache%' AND id % 100 = 7""")
    assert alice.table("cached").count() == 200
    assert "of a cache" in str(streamon.stats(alice).collect())
    assert "of a cache" not in seen(bob)


def test_another_session_of_a_user_finds_a_query_by_its_id(connect: Connect) -> None:
    carol, dave = connect("carol"), connect("dave")
    look_for(carol, "of carol")
    (query,) = {row.query for row in streamon.stats(carol).collect()}
    again = connect("carol")
    assert "of carol" not in seen(again)
    by_id = f"SELECT * FROM streamon_stats('{query}')"
    assert "of carol" in str(again.sql(by_id).collect())
    assert dave.sql(by_id).collect() == []
    explained = f"SELECT * FROM streamon_explain('{query}')"
    assert "of carol" in str(again.sql(explained).collect())
    assert dave.sql(explained).collect() == []


def test_without_a_name_a_session_sees_itself(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    # From these a client takes a name when it is given none.
    for variable in ("SPARK_USER", "USER"):
        monkeypatch.delenv(variable, raising=False)
    one, other = connect(""), connect("")
    look_for(one, "of nobody")
    assert "of nobody" in seen(one)
    assert "of nobody" not in seen(other)


def test_a_stream_is_seen_by_its_user(connect: Connect, tmp_path: Path) -> None:
    alice, bob = connect("alice"), connect("bob")
    alice.range(2000).write.parquet(str(tmp_path / "numbers"))
    alice.readStream.schema("id LONG").parquet(str(tmp_path / "numbers")).createOrReplaceTempView("numbers")
    query = (
        alice.sql("""SELECT /*+ ADAPTIVE_FILTER */ id FROM numbers
            WHERE CAST(id AS STRING) NOT LIKE '%of a stream%' AND id % 100 = 7""")
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert "of a stream" in str(streamon.stats(query).collect())
    assert "of a stream" not in seen(bob)


def test_nobody_sees_or_changes_the_rules_of_another_user(connect: Connect, tmp_path: Path) -> None:
    alice, again, bob = connect("alice"), connect("alice"), connect("bob")
    numbers = alice.readStream.format("rate-micro-batch").option("rowsPerBatch", 3).load()
    alerts = streamon.match(numbers.select("value"), {"secret": "value > 1"})
    query = alerts.writeStream.format("noop").option("checkpointLocation", str(tmp_path)).start()
    try:
        assert [one.rule for one in streamon.rules(query)] == ["secret"]
        for _ in range(120):
            if query.lastProgress is None:
                assert not query.awaitTermination(1)
        calls = (
            f"streamon_rules('{query.id}')",
            f"streamon_add_rule('{query.id}', 'a', 'value = 1')",
            f"streamon_remove_rule('{query.id}', 'secret')",
        )
        for call in calls:
            with pytest.raises(AnalysisException, match="STREAMON_RULES_QUERY"):
                bob.sql(f"SELECT * FROM {call}").collect()
        found = again.sql(f"SELECT rule FROM streamon_rules('{query.id}')").collect()
        assert [row.rule for row in found] == ["secret"]
    finally:
        query.stop()
