"""A filter with a known answer, in a classic session or over Spark Connect."""

from __future__ import annotations

from pyspark.sql import SparkSession

from streamon.checks.printed import printed
from streamon.errors import NotLoadedError, StreamonError
from streamon.tables import stats

ROWS = 1000

QUERY = f"""
SELECT /*+ ADAPTIVE_FILTER */ id FROM range({ROWS})
WHERE CAST(id AS STRING) RLIKE '^[0-9]*5$' AND id % 3 = 0"""  # noqa: S608
"""The numbers below 1000 that end in 5 and are divisible by 3."""

ANSWER = [n for n in range(ROWS) if n % 10 == 5 and n % 3 == 0]


def check_filter(session: SparkSession) -> str:
    """Run the filter, and see that the adaptive operator ran it.

    Raises:
        NotLoadedError: the plan has no adaptive operator.
        StreamonError: the answer is wrong.
    """
    frame = session.sql(QUERY)
    found = sorted(row["id"] for row in frame.collect())
    if found != ANSWER:
        raise StreamonError(
            f"The filter found {len(found)} rows of {ROWS} and not {len(ANSWER)}: please report this."
        )
    plan = printed(frame.explain)
    if "AdaptiveFilter" not in plan:
        raise NotLoadedError(
            "The filter ran without its adaptive operator: look for spark.streamon settings that turn it "
            f"off, in spark-defaults.conf or on the server. The plan was:\n{plan}"
        )
    return f"an adaptive filter found {len(ANSWER)} rows of {ROWS}"


def check_table(session: SparkSession) -> str:
    """Read a table function of StreaMon, after a filter.

    Raises:
        StreamonError: the function is missing, or it has no row about the filter.
    """
    rows = stats(session).count()
    if rows == 0:
        raise StreamonError("streamon_stats() has no rows after an adaptive filter: please report this.")
    return f"streamon_stats() has {rows} rows"
