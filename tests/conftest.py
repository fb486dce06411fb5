"""One small Spark session for all tests of this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import streamon

os.environ["PYSPARK_PYTHON"] = sys.executable

SMALL = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "ERROR",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session configured as a user would, local[2], its warehouse in a folder that goes away."""
    warehouse = str(tmp_path_factory.mktemp("warehouse"))
    builder = SparkSession.builder.master("local[2]").appName("streamon tests").config(map=SMALL)
    session = streamon.configure(builder).config("spark.sql.warehouse.dir", warehouse).getOrCreate()
    yield session
    session.stop()
