"""Alerts: many rules over one table, and rules that change while a stream runs.

    python examples/rules_alerts.py

Each site has a limit of its own for each kind of sensor. Together these are 300 rules. The program finds the
readings for which some rule holds, compares the result with a filter, and shows how few look-ups that took.
Then it matches a stream of readings, and adds a rule while the stream runs.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, SparkSession

import streamon

ROWS = 200_000
SITES = 100
KINDS = ("heat", "smoke", "noise")


def limits() -> dict[str, str]:
    """The rules: for each site and kind of sensor, from which value on there is an alert."""
    return {
        f"{kind} at s{site:02d}": f"site = 's{site:02d}' AND kind = '{kind}' AND value > {960 + site % 40}"
        for site in range(SITES)
        for kind in KINDS
    }


def generated_readings(spark: SparkSession) -> DataFrame:
    """One reading in 35 is an alert, about. The values of a hash look like random ones, and stay the same."""
    kinds = ", ".join(f"'{kind}'" for kind in KINDS)
    return spark.range(ROWS).selectExpr(
        "id",
        f"format_string('s%02d', pmod(hash(id, 1), {SITES})) AS site",
        f"element_at(array({kinds}), CAST(id % {len(KINDS)} AS INT) + 1) AS kind",
        "pmod(hash(id, 2), 1000) AS value",
    )


def match_a_table(readings: DataFrame) -> None:
    rules = limits()
    alerts = streamon.match(readings, rules)
    print(f"{alerts.count():,} of {ROWS:,} readings have an alert, by {len(rules)} rules:")
    alerts.orderBy("id").show(3, truncate=False)

    filtered = readings.where(" OR ".join(f"({condition})" for condition in rules.values()))
    print(f"A filter finds the same rows: {filtered.exceptAll(alerts.drop('rules')).isEmpty()}")

    print("\nAll rules ask for values above 960, so no other readings come to the look-ups. For each column,")
    print("the readings that were looked up, and those of which no rule was left:")
    first = streamon.stats(alerts).orderBy("query", "position").limit(len(readings.columns) - 1)
    first.select("conjunct", "evaluations", "drops").show(truncate=False)


def match_a_stream(readings: DataFrame, folder: str) -> None:
    for part in range(2):
        readings.where(f"id % 2 = {part}").coalesce(1).write.mode("append").parquet(f"{folder}/readings")
    spark = readings.sparkSession
    stream = (
        spark.readStream.schema(readings.schema).option("maxFilesPerTrigger", 1).parquet(f"{folder}/readings")
    )
    alerts = streamon.match(stream, {"hot": "kind = 'heat' AND value > 990"}, output="exploded")
    query = (
        alerts.writeStream.format("parquet")
        .option("path", f"{folder}/alerts")
        .option("checkpointLocation", f"{folder}/checkpoint")
        .start()
    )
    query.processAllAvailable()
    streamon.rules(query).add("loud", "kind = 'noise' AND value > 990")
    # It holds from the next micro-batch on, which these readings make.
    readings.where("id % 2 = 0").coalesce(1).write.mode("append").parquet(f"{folder}/readings")
    query.processAllAvailable()
    print("The rules of the stream, and the alerts that it has written:")
    print(streamon.rules(query))
    query.stop()
    spark.read.parquet(f"{folder}/alerts").groupBy("rule").count().orderBy("rule").show()


def main() -> None:
    spark = (
        streamon.configure(SparkSession.builder.master("local[2]"))
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        generated_readings(spark).write.parquet(f"{folder}/table")
        readings = spark.read.parquet(f"{folder}/table")
        match_a_table(readings)
        match_a_stream(readings, folder)
    spark.stop()


if __name__ == "__main__":
    main()
