"""What StreaMon left alone in a DataFrame's plan, and what it made of the rest. Classic sessions only."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame

from streamon import jvm


@dataclass(frozen=True)
class Refusal:
    """A filter or a join that StreaMon left to Spark, and the reason.

    Attributes:
        operator: the plan operator that was left alone.
        code: the typed reason, such as `FEWER_THAN_TWO_CONJUNCTS` or `NOTHING_EXPENSIVE`.
        reason: the same in a sentence.
        condition: its condition as Spark prints it.
    """

    operator: str
    code: str
    reason: str
    condition: str

    def __str__(self) -> str:
        return f"{self.code}: {self.reason}\n  {self.operator} {self.condition}"


def refusals(df: DataFrame) -> list[Refusal]:
    """The filters and then the joins of the DataFrame's plan that StreaMon left alone, in plan order.

    Once it has run, adaptive filters that did not adapt are among them: `CODEGEN_FELL_BACK`.

    Raises:
        StreamonError: no JVM (Spark Connect), no jar in it, or one of another version.
    """
    found = json.loads(jvm.api(df, "streamon.why_not").whyNot(df._jdf))
    keys = ("operator", "code", "reason", "condition")
    return [Refusal(**{key: refusal[key] for key in keys}) for refusal in found]


def why_not(df: DataFrame) -> None:
    """Print why StreaMon left filters and joins of a DataFrame alone; `refusals` gives the same as data.

    Raises:
        StreamonError: as for `refusals`.
    """
    found = refusals(df)
    print(
        "\n".join(map(str, found))
        or "No filter or join of this plan was refused. (Is spark.streamon.enabled true?)"
    )


def explain(df: DataFrame) -> None:
    """Print the adaptive operators of the DataFrame's plan: their algorithm, conjuncts or inputs.

    Raises:
        StreamonError: as for `refusals`.
    """
    print(jvm.api(df, "streamon.explain").explain(df._jdf))
