"""Query Mesh from Python: an order for each kind of row, classic and over Connect."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

import streamon

KINDS = ("red", "green", "blue")
ROWS = 200_000


def of_three_kinds(spark: SparkSession, folder: Path) -> DataFrame:
    """Rows of three kinds, with a column for each condition."""
    path = str(folder / "kinds")
    spark.range(0, ROWS, 1, 2).selectExpr(
        "elt(id % 3 + 1, 'red', 'green', 'blue') AS kind",
        *(f"concat('{kind} ', id) AS {kind}" for kind in KINDS),
    ).write.parquet(path)
    return spark.read.parquet(path)


def filtered(rows: DataFrame) -> DataFrame:
    """Of each kind another condition drops nine rows in ten, and the others one in ten."""
    conditions = (f"sha2({kind}, 256) < IF(kind = '{kind}', '1a', 'e6')" for kind in KINDS)
    return streamon.adaptive_filter(
        rows.where(" AND ".join(conditions)),
        algorithm="query-mesh",
        routes=4,
        routes_search="ii-qm",
        routes_start="route-driven",
        profiling_probability=0.2,
        profiling_budget=1.0,
    )


def test_three_kinds_get_three_routes(anywhere: SparkSession, tmp_path: Path) -> None:
    frame = filtered(of_three_kinds(anywhere, tmp_path))
    # A search takes its time beside the rows, and later executions begin with what it has found.
    for _ in range(20):
        found = frame.count()
        latest = max({row.query for row in streamon.routes(frame).collect()}, key=lambda q: int(q[10:]))
        routes = [row for row in streamon.routes(frame).collect() if row.query == latest]
        if len(routes) == len(KINDS):
            break
    assert len(routes) == len(KINDS), routes
    assert all("kind IN (" in row["rows"] or "kind NOT IN (" in row["rows"] for row in routes), routes
    assert sorted(row.conjuncts[0].split("(")[2].split(",")[0] for row in routes) == sorted(KINDS)
    anywhere.conf.set("spark.streamon.enabled", "false")
    try:
        assert frame.count() == found
    finally:
        anywhere.conf.unset("spark.streamon.enabled")
    (change,) = streamon.decisions(frame).where("new_routes IS NOT NULL").orderBy("time").limit(1).collect()
    assert change.new_order is None
    assert [route["rows"] for route in change.old_routes] == ["all rows"]
    assert change.new_nanos < change.single_nanos


def test_one_kind_has_one_route(anywhere: SparkSession) -> None:
    frame = anywhere.range(1000).where("CAST(id AS STRING) RLIKE '1' AND id % 3 = 0")
    meshed = streamon.adaptive_filter(frame, algorithm="query-mesh")
    meshed.count()
    (route,) = streamon.routes(meshed).collect()
    assert (route.route, route["rows"], route.input_rows, route.share) == (0, "all rows", 1000, 1.0)
    assert route.modelled_saving is None
    assert "query-mesh" in str(streamon.explain(meshed))
