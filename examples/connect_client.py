"""Use StreaMon from a Spark Connect client.

    $SPARK_HOME/sbin/start-connect-server.sh --jars $(streamon jar)
    python examples/connect_client.py sc://localhost:15002

The server has the jar. The client needs this package beside pyspark-client, or beside pyspark with what
Connect needs: no Java, and no jar. Hints, settings and tables go over the wire.
"""

from __future__ import annotations

import os
import sys

from pyspark.sql import SparkSession

import streamon

NO_SERVER = "Skipped: name a Spark Connect server that has StreaMon's jar, such as sc://localhost:15002."


def main(address: str) -> None:
    # A builder for a server elsewhere stays as it is: there the server has the jar.
    spark = streamon.configure(SparkSession.builder.remote(address)).getOrCreate()

    # A setting counts for this session alone; here filters learn from more rows, since the data is small.
    spark.conf.set("spark.streamon.filter.profilingProbability", "0.2")
    spark.conf.set("spark.streamon.filter.profilingBudget", "1.0")
    numbers = spark.range(0, 200_000, numPartitions=2)
    found = streamon.adaptive_filter(
        numbers.where(
            "CAST(id AS STRING) RLIKE '[0-8]' AND sha2(CAST(id AS STRING), 256) > '0' AND id % 99 = 7"
        ),
        initial_order="written",
        window=200,
    )
    print(f"{found.count():,} numbers pass.\n")

    print("The adaptive operator in the plan that the server made:")
    print(streamon.explain(found))

    print("\nWhat each condition did:")
    counts = streamon.stats(found).select("conjunct", "written", "position", "evaluations", "drops")
    counts.orderBy("position").show(truncate=60)

    print("How the order changed:")
    streamon.decisions(found).select("algorithm", "old_order", "new_order").show(
        truncate=False, vertical=True
    )
    spark.stop()


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SPARK_REMOTE")
    if given is None:
        print(NO_SERVER)
    else:
        main(given)
