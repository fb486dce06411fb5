"""The typed functions for hints: what they hand to `df.hint`, their plans, and wrong arguments."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints
from unittest.mock import create_autospec

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

import streamon
from streamon.errors import ArgumentError

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
ROOT = Path(__file__).parents[1]
OPTIONS = {
    "filter": (streamon.adaptive_filter, {"filter.mode"}),
    "join": (streamon.mjoin, {"join.enabled"}),
}
"""By the prefix of their settings, the functions with options, and the settings that are none."""


def options(prefix: str) -> dict[str, str]:
    """The settings under a prefix that are options of a hint, with their meaning, from the reference page."""
    (page,) = ROOT.glob("docs/**/configuration.md")
    rows = re.findall(r"^\| `spark\.streamon\.(\S+)` \| [^|]* \| ([^|]*) \|", page.read_text(), re.MULTILINE)
    return {
        name: meaning
        for name, meaning in rows
        if name.startswith(f"{prefix}.") and name not in OPTIONS[prefix][1]
    }


def keyword(setting: str) -> str:
    """The keyword of a setting: `join.caching.interval` is `caching_interval`."""
    option = setting.split(".", 1)[1].replace(".", "_")
    return re.sub("[A-Z]", lambda letter: f"_{letter.group().lower()}", option)


def a_frame() -> Any:
    """A DataFrame without a session, which notes how `hint` is called."""
    return create_autospec(DataFrame, instance=True)


@pytest.mark.parametrize("prefix", OPTIONS)
def test_each_option_is_a_keyword(prefix: str) -> None:
    function, _ = OPTIONS[prefix]
    parameters = inspect.signature(function).parameters.values()
    keywords = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
    assert keywords == {keyword(setting) for setting in options(prefix)}
    assert len(keywords) >= 8


@pytest.mark.parametrize("prefix", OPTIONS)
def test_each_keyword_is_the_option_of_its_setting(prefix: str) -> None:
    function, _ = OPTIONS[prefix]
    for number, setting in enumerate(options(prefix), 1):
        frame = a_frame()
        function(frame, **{keyword(setting): number})
        option = setting.split(".", 1)[1]
        frame.hint.assert_called_once_with(function.__name__, f"{option}={number}")


@pytest.mark.parametrize("prefix", OPTIONS)
def test_what_is_not_given_is_not_in_the_hint(prefix: str) -> None:
    function, _ = OPTIONS[prefix]
    frame = a_frame()
    assert function(frame) is frame.hint.return_value
    frame.hint.assert_called_once_with(function.__name__)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (streamon.adaptive_filter, "algorithm"),
        (streamon.adaptive_filter, "errors"),
        (streamon.adaptive_filter, "initial_order"),
        (streamon.mjoin, "algorithm"),
        (streamon.mjoin, "caching"),
        (streamon.mjoin, "constraints"),
    ],
)
def test_a_type_has_the_words_that_spark_takes(
    spark: SparkSession, function: Callable[..., DataFrame], name: str
) -> None:
    words = get_args(get_args(get_type_hints(function)[name])[0])
    prefix = "filter" if function is streamon.adaptive_filter else "join"
    (setting,) = (s for s in options(prefix) if keyword(s) == name)
    with pytest.raises(AnalysisException, match="STREAMON_HINT_BAD_OPTION") as caught:
        function(spark.range(1).where("id = 1 AND id = 2"), **{name: "nothing"})
    allowed = re.search(r"Allowed values: ([a-z, -]+)\.", str(caught.value))
    assert allowed is not None, str(caught.value)
    assert sorted(words) == sorted(allowed[1].split(", ")), setting


def test_how_values_are_written() -> None:
    frame = a_frame()
    streamon.mjoin(
        frame, "c", "b", constraints_detect=False, profiling_probability=0.00001, caching_interval=5
    )
    frame.hint.assert_called_once_with(
        "mjoin", "c", "b", "profilingProbability=1e-05", "caching.interval=5", "constraints.detect=false"
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"range": "10 MINUTES"}, "RANGE 10 MINUTES"),
        ({"rows": 4}, "ROWS 4"),
        ({"rows": 4, "partition_by": "cid"}, "PARTITION BY cid ROWS 4"),
        ({"rows": 4, "partition_by": ["cid", "`a b`"]}, "PARTITION BY cid, `a b` ROWS 4"),
    ],
)
def test_windows(arguments: dict[str, Any], text: str) -> None:
    frame = a_frame()
    streamon.stream_window(frame, "c", **arguments)
    frame.hint.assert_called_once_with("stream_window", "c", text)


FRAME = a_frame()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: streamon.adaptive_filter(None), "adaptive_filter accepts a DataFrame .* not None"),
        (lambda: streamon.mjoin("c", "b"), "mjoin accepts a DataFrame .* not 'c'"),
        (lambda: streamon.mjoin(FRAME, FRAME), "mjoin accepts inputs by name"),
        (
            lambda: streamon.mjoin(FRAME, "b", "caching=off"),
            "by keyword, and 'caching=off' is among its inputs",
        ),
        (lambda: streamon.stream_window(5, "c", rows=1), "stream_window accepts a DataFrame"),
        (lambda: streamon.stream_window(FRAME, "c"), "either range or rows, and neither"),
        (lambda: streamon.stream_window(FRAME, "c", range="1 DAY", rows=1), "either range or rows, and both"),
        (lambda: streamon.stream_window(FRAME, "c", rows=0), "from 1 on, not 0"),
        (lambda: streamon.stream_window(FRAME, "c", rows=-1), "from 1 on, not -1"),
        (lambda: streamon.stream_window(FRAME, "c", rows=True), "from 1 on, not True"),
        (lambda: streamon.stream_window(FRAME, "c", rows=1.5), "from 1 on, not 1.5"),
        (
            lambda: streamon.stream_window(FRAME, "c", range=timedelta(minutes=1)),
            "accepts range as text, such as '10 MINUTES', not an object of type timedelta",
        ),
        (
            lambda: streamon.stream_window(FRAME, "c", range="1 DAY", partition_by="cid"),
            "accepts partition_by with rows",
        ),
        (lambda: streamon.stream_window(FRAME, "c", rows=1, partition_by=[]), "one column or more"),
        (
            lambda: streamon.stream_window(FRAME, "c", rows=1, partition_by=[5]),
            "accepts partition_by by name",
        ),
        (
            lambda: streamon.stream_window(FRAME, "c", rows=1, partition_by=5),
            "accepts partition_by as several names",
        ),
        (lambda: streamon.stream_window(FRAME, None, rows=1), "accepts stream by name"),
        (lambda: streamon.unique(None, "b", "pid"), "unique accepts a DataFrame"),
        (lambda: streamon.unique(FRAME, "b"), "one column or more"),
        (lambda: streamon.unique(FRAME, "b", print), "by name, as text"),
        (lambda: streamon.k_constraint(None, "CA", "b", "c", 1), "k_constraint accepts a DataFrame"),
        (lambda: streamon.k_constraint(FRAME, "CA", "b", None, 1), "accepts kind, parent and child by name"),
        (
            lambda: streamon.k_constraint(FRAME, "CA", "b", "c", 1.5),
            "whole number, not 1.5",
        ),
        (
            lambda: streamon.k_constraint(FRAME, "CA", "b", "c", True),
            "whole number, not True",
        ),
    ],
)
def test_a_wrong_argument_gets_a_sentence(call: Callable[[], DataFrame], sentence: str) -> None:
    FRAME.hint.reset_mock()
    with pytest.raises(ArgumentError, match=rf"^streamon\..*{sentence}"):
        call()
    FRAME.hint.assert_not_called()


def plan(frame: DataFrame, capsys: pytest.CaptureFixture[str]) -> str:
    """The physical plan of a frame, without the numbers of its expressions and exchanges."""
    frame.explain()
    return re.sub(r"#\d+L?|plan_id=\d+", "", capsys.readouterr().out)


def test_the_plan_of_a_filter(anywhere: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    filtered = anywhere.range(100).where("id % 3 = 0 AND id % 5 = 1")
    typed = streamon.adaptive_filter(filtered, algorithm="sweep", window=500)
    text = plan(typed, capsys)
    assert "sweep" in text
    assert text == plan(filtered.hint("adaptive_filter", "algorithm=sweep", "window=500"), capsys)
    assert text != plan(filtered, capsys)


def three_streams(session: SparkSession, folder: Path) -> DataFrame:
    """A join of three streams with event times."""
    for name in ("c", "b", "o"):
        rows = session.range(1).selectExpr("id AS pid", "id AS cid", "timestamp_seconds(id) AS t")
        rows.write.parquet(f"{folder}/{name}")
        stream = session.readStream.schema(rows.schema).parquet(f"{folder}/{name}")
        stream.withWatermark("t", "1 minute").createOrReplaceTempView(name)
    return session.sql("SELECT c.pid, o.cid FROM c JOIN b ON c.pid = b.pid JOIN o ON b.pid = o.pid")


@pytest.mark.parametrize(
    ("typed", "texts", "shown"),
    [
        (
            lambda df: streamon.mjoin(df, "c", "b", "o", algorithm="sweep", constraints="exact"),
            [("mjoin", "c", "b", "o", "algorithm=sweep", "constraints=exact")],
            "MJoin [sweep, caching off]",
        ),
        (
            lambda df: streamon.mjoin(streamon.stream_window(df, "c", range="10 MINUTES")),
            [("stream_window", "c", "RANGE 10 MINUTES"), ("mjoin",)],
            "INTERVAL '0 00:10:00' DAY TO SECOND",
        ),
        (
            lambda df: streamon.stream_window(df, "c", rows=4, partition_by=["cid"]),
            [("stream_window", "c", "PARTITION BY cid ROWS 4")],
            "PARTITION BY c.cid ROWS 4",
        ),
        (
            lambda df: streamon.mjoin(streamon.unique(df, "b", "pid")),
            [("unique", "b", "pid"), ("mjoin",)],
            "UNIQUE(1 on ",
        ),
        (
            lambda df: streamon.mjoin(streamon.k_constraint(df, "RIDS", "c", "b", 1000)),
            [("k_constraint", "RIDS", "c", "b", 1000), ("mjoin",)],
            "RIDS(1000) 0 -> 1 on ",
        ),
    ],
    ids=["mjoin", "range", "rows", "unique", "k_constraint"],
)
def test_the_plan_of_a_join(
    spark: SparkSession,
    tmp_path: Path,
    settings: Callable[[dict[str, Any]], None],
    capsys: pytest.CaptureFixture[str],
    typed: Callable[[DataFrame], DataFrame],
    texts: list[tuple[Any, ...]],
    shown: str,
) -> None:
    settings({"spark.sql.streaming.stateStore.providerClass": ROCKSDB})
    hinted = joined = three_streams(spark, tmp_path)
    for name, *parameters in texts:
        hinted = hinted.hint(name, *parameters)
    text = plan(typed(joined), capsys)
    assert shown in text
    assert text == plan(hinted, capsys)


@pytest.mark.parametrize(
    "call",
    [
        lambda df, name: streamon.mjoin(df, name, "b"),
        lambda df, name: streamon.stream_window(df, name, range="10 MINUTES"),
        lambda df, name: streamon.unique(df, name, "pid"),
        lambda df, name: streamon.k_constraint(df, "CA", name, "b", 5),
    ],
    ids=["mjoin", "stream_window", "unique", "k_constraint"],
)
def test_over_connect(
    remote: SparkSession, tmp_path: Path, call: Callable[[DataFrame, str], DataFrame]
) -> None:
    """Spark explains no streams over Connect, so this is what its analyzer says of right and wrong names."""
    joined = three_streams(remote, tmp_path)
    assert call(joined, "c").columns == ["pid", "cid"]
    with pytest.raises(AnalysisException, match="STREAMON_HINT_UNKNOWN_INPUT"):
        _ = call(joined, "nobody").schema
