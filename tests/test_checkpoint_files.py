"""What the doctor says of the files of checkpoints."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from streamon import checkpoint_files
from streamon.checkpoint_files import CONF, LOCAL, advice


def test_it_names_the_manager_that_is_faster(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_files, "milliseconds", taking(spark=30.0, own=0.5))
    assert advice(spark._jvm).endswith(f"in 30.0 ms. With {CONF}={LOCAL} it takes 0.5 ms")


def test_it_advises_nothing_where_there_is_nothing_to_gain(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_files, "milliseconds", taking(spark=0.9, own=0.5))
    assert advice(spark._jvm).endswith("in 0.9 ms, with nothing to gain")


def test_files_are_written_by_the_manager_that_is_named(spark: SparkSession) -> None:
    """And where Spark's cannot write, its reason is said."""
    assert "Spark writes one below" in advice(spark._jvm)
    conf = spark._jvm.org.apache.hadoop.conf.Configuration()
    conf.set(CONF, "org.nowhere.Manager")
    with pytest.raises(Exception, match=r"org\.nowhere\.Manager"):
        checkpoint_files.milliseconds(spark._jvm, conf, "/nowhere")


def taking(*, spark: float, own: float):  # type: ignore[no-untyped-def]
    def milliseconds(_jvm: object, conf: object, _folder: str) -> float:
        return own if conf.get(CONF) == LOCAL else spark  # type: ignore[attr-defined]

    return milliseconds
