"""`why_not` and `explain`: the operators that are left to Spark, and the adaptive ones."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Row

from streamon import scope
from streamon.found import Found
from streamon.html_table import html_table
from streamon.records import record
from streamon.scope import Scope


@dataclass(frozen=True)
class Refusal:
    """A filter or a join that is left to Spark, with the reason.

    Attributes:
        query: the query that ran it. None for the plan of a DataFrame.
        operator: the operator of the plan that is left to Spark.
        code: the stable code of the reason, such as `FEWER_THAN_TWO_CONJUNCTS` or `NOTHING_EXPENSIVE`.
        reason: the reason as text.
        condition: the condition of the operator, as Spark prints it.
    """

    query: str | None
    operator: str
    code: str
    reason: str
    condition: str

    def __str__(self) -> str:
        of = "" if self.query is None else f"{self.query}: "
        return f"{self.code}: {self.reason}\n  {of}{self.operator} {self.condition}"


@dataclass(frozen=True)
class AdaptiveOperator:
    """An adaptive operator of a plan.

    Attributes:
        query: the query that ran it. None for the plan of a DataFrame.
        operator: its name, such as `AdaptiveFilter 0` or `MJoin`.
        description: its algorithm, and its conjuncts or inputs. It has several lines.
    """

    query: str | None
    operator: str
    description: str

    def __str__(self) -> str:
        return self.description if self.query is None else f"{self.query}: {self.description}"


class Refusals(Found[Refusal]):
    """A sequence of filters and joins that are left to Spark. `print` shows them."""

    def _item(self, row: Row) -> Refusal:
        return record(Refusal, row)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or (
            "StreaMon left no filter and no join to Spark here. Check that spark.streamon.enabled is true."
        )

    def _repr_html_(self) -> str:
        return html_table(("code", "reason", "operator", "condition", "query"), map(_cells, self))


class Explanation(Found[AdaptiveOperator]):
    """A sequence of adaptive operators. `print` shows them."""

    def _item(self, row: Row) -> AdaptiveOperator:
        return record(AdaptiveOperator, row)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self)) or "There is no adaptive operator here. streamon.why_not says why."

    def _repr_html_(self) -> str:
        rows = ((one.operator, one.description, one.query) for one in self)
        # The description is of several lines.
        return html_table(("operator", "description", "query"), rows).replace(
            "<td>", '<td style="white-space: pre-wrap; text-align: left">'
        )


def _cells(one: Refusal) -> tuple[str | None, ...]:
    return one.code, one.reason, one.operator, one.condition, one.query


def why_not(of: Scope) -> Refusals:
    """The reasons why filters and joins are left to Spark.

    A DataFrame is planned, but not executed. If it has run before, the answer also has its adaptive filters
    that did not adapt: `CODEGEN_FELL_BACK`.

    >>> print(streamon.why_not(df))  # doctest: +SKIP

    Args:
        of: a DataFrame, for its plan; a session, for all queries that it started; a streaming query, or the
            id of a query as text, for that query.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return Refusals(scope.call("streamon_why_not", of))


def explain(of: Scope) -> Explanation:
    """The adaptive operators of plans: their algorithm, and their conjuncts or inputs.

    Args:
        of: as for `why_not`.

    Raises:
        ArgumentError: `of` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
    """
    return Explanation(scope.call("streamon_explain", of))
