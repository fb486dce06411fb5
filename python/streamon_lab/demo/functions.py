"""The Python function of the demo."""

from __future__ import annotations

import math

from pyspark.sql import SparkSession
from pyspark.sql.functions import udf


def kilometres(
    origin_lat: float | None, origin_lon: float | None, dest_lat: float | None, dest_lon: float | None
) -> float | None:
    """Great-circle distance by the haversine formula. Latitudes and longitudes are in degrees."""
    if origin_lat is None or origin_lon is None or dest_lat is None or dest_lon is None:
        return None
    here, there = math.radians(origin_lat), math.radians(dest_lat)
    half = math.sin((there - here) / 2) ** 2
    half += math.cos(here) * math.cos(there) * math.sin(math.radians(dest_lon - origin_lon) / 2) ** 2
    return 12742 * math.asin(math.sqrt(half))


def register(spark: SparkSession) -> None:
    """Makes it a function of SQL."""
    spark.udf.register("kilometres", udf(kilometres, "double", useArrow=True))
