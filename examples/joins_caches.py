"""Cache a subresult that a join would compute again and again.

    python examples/joins_caches.py

Each row of t looks for the rows of s with its b, and for each of those looks into r, where few have a match.
t has ten values of b only, so the same rows of s are looked up again and again. The program runs the join
without caches and with them, and counts the look-ups.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession

import streamon

ROWS = {
    "r": (1_000, "id % 1000 AS a"),
    "s": (5_000, "pmod(hash(id), 1000000) AS a; id % 10 AS b"),
    "t": (12_000, "id % 10 AS b"),
}
"""By stream, its number of rows, and its columns as they follow from the number of a row."""

JOIN = "SELECT /*+ MJOIN(r, s, t, {options}) */ r.v AS rv, s.v AS sv, t.v AS tv {source}"
SOURCE = "FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b"


def main() -> None:
    spark = (
        # An MJoin needs RocksDB as the state store.
        streamon.configure(SparkSession.builder.master("local[2]"), rocksdb=True)
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        for name, (rows, columns) in ROWS.items():
            frame = spark.range(rows).selectExpr(*columns.split("; "), "id AS v")
            frame.repartition(4).write.parquet(f"{folder}/{name}")
            files = spark.readStream.schema(frame.schema).option("maxFilesPerTrigger", 1)
            files.parquet(f"{folder}/{name}").createOrReplaceTempView(name)

        # caching.interval is the number of rows between two measurements; the default, 10,000, suits streams
        # that are longer than these.
        options = {
            "without": "'caching=off'",
            "cached": "'caching=prefix', 'caching.interval=1000', 'caching.window=5'",
        }
        queries = {}
        for name, text in options.items():
            joined = spark.sql(JOIN.format(options=text, source=SOURCE))
            queries[name] = joined.writeStream.format("memory").queryName(name).start()
            queries[name].processAllAvailable()
            metrics = [
                progress["stateOperators"][0]["customMetrics"] for progress in queries[name].recentProgress
            ]
            looks = sum(m[f"mjoinProbes{i}"] for m in metrics for i in range(len(ROWS)))
            hits, misses = (sum(m[f"mjoinCache{what}"] for m in metrics) for what in ("Hits", "Misses"))
            results = spark.table(name).count()
            print(f"{name:>8}: {results:,} results, {looks:,} look-ups, {hits:,} hits, {misses:,} misses")

        print("\nThe caches in use. Input 0 is r, input 1 is s, and input 2 is t:")
        caches = streamon.caches(queries["cached"])
        caches.select("cache", "hits", "misses", "entries", "bytes").show(truncate=False)
        print("When they came and went:")
        decisions = streamon.decisions(queries["cached"]).where("algorithm LIKE 'a-caching%'")
        decisions.select("operator", "old_order", "new_order").show(truncate=False)

        one, other = (spark.table(name) for name in queries)
        print("Equal answers:", one.exceptAll(other).isEmpty() and other.exceptAll(one).isEmpty())
        for query in queries.values():
            query.stop()
    spark.stop()


if __name__ == "__main__":
    main()
