"""A filter that finds its own order.

    python examples/first_filter.py

Three conditions look for errors of one kind in generated logs. As they are written, the first one is
expensive and drops little. The program runs the query twice. It shows what the filter learns in the first
run, and what that saves in the second.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, SparkSession

import streamon

ROWS = 300_000

# The hint asks for an adaptive filter. initialOrder=written begins with the order of the text; the default is
# cheapest first, by a table of costs. The other options let it learn from many rows, since this data is
# small: by default it samples 1 % of them at most, and takes 2 % of the filter's time for that.
ERRORS = """
    SELECT /*+ ADAPTIVE_FILTER('initialOrder=written', 'profilingProbability=0.1', 'profilingBudget=1') */ *
    FROM logs
    WHERE body RLIKE '(timeout|refused) after [0-9]+ ms'
      AND get_json_object(context, '$.region') = 'eu-west'
      AND level = 'ERROR'
"""


def generated_logs(spark: SparkSession) -> DataFrame:
    """One row in fifty is an error, one in four is from eu-west, and nine in ten mention a timeout."""
    return spark.range(ROWS).selectExpr(
        "timestamp_seconds(id) AS ts",
        "IF(id % 50 = 8, 'ERROR', 'INFO') AS level",
        "IF(id % 10 = 0, 'all is well', concat('request ', id, ': timeout after ', id % 900, ' ms')) AS body",
        """concat('{"region": "', element_at(array('eu-west', 'us-east', 'us-west', 'ap-south'),
           CAST(id % 4 + 1 AS INT)), '", "user": ', id % 1000, '}') AS context""",
    )


def main() -> None:
    spark = (
        streamon.configure(SparkSession.builder.master("local[2]"))
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    with TemporaryDirectory() as folder:
        generated_logs(spark).write.parquet(f"{folder}/logs")
        spark.read.parquet(f"{folder}/logs").createOrReplaceTempView("logs")

        errors = spark.sql(ERRORS)
        print("The plan has an adaptive filter:")
        print(streamon.explain(errors))

        for _ in range(2):
            print(f"\n{errors.count():,} of {ROWS:,} rows pass.")

        print("\nEach change of order, with the conditions in the order in which they are evaluated:")
        for change in streamon.decisions(errors).collect():
            print(f"  {change.old_order}\n  -> {change.new_order}")

        print("\nWhat each condition did in each run. The second begins with the order of the first:")
        counts = streamon.stats(errors).select("query", "conjunct", "position", "evaluations", "drops")
        counts.orderBy("query", "position").show(truncate=False)

        # A filter of cheap comparisons gains nothing, so without a hint it stays Spark's. This says why.
        cheap = spark.sql("SELECT * FROM logs WHERE level = 'ERROR' AND year(ts) = 1970")
        print("Left to Spark:")
        print(streamon.why_not(cheap))
    spark.stop()


if __name__ == "__main__":
    main()
