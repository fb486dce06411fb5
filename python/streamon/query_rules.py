"""`rules`: the rules of a running query, which come and go while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming.query import StreamingQuery

from streamon import scope
from streamon.arguments import shortened, wrong
from streamon.errors import ArgumentError
from streamon.found import Found
from streamon.html_table import html_table
from streamon.records import record
from streamon.table_functions import select


@dataclass(frozen=True)
class Rule:
    """A rule of a running query.

    Attributes:
        call: the number of the call of `match` in the query, from 0.
        rule: its name.
        condition: its condition, as it was written.
        state: `active` in the latest micro-batch, `waiting` for the next one, or `rejected`.
        reason: why it is rejected. For other rules, why the rules have not been changed as they should have
            been: the table cannot be read or is empty, or its rules take too much memory. None if all is
            well.
    """

    call: int
    rule: str
    condition: str
    state: str
    reason: str | None

    def __str__(self) -> str:
        said = f"{self.rule} ({self.state}): {self.condition}"
        return said if self.reason is None else f"{said}\n  {self.reason}"


class Rules(Found[Rule]):
    """A sequence of the rules of a running query, as they were when it was last asked. `print` shows them."""

    def __init__(self, query: StreamingQuery | str) -> None:
        self._of = query
        super().__init__(self._call("streamon_rules(:query)"))

    def add(self, rule: str, condition: str) -> None:
        """Add a rule, or give another condition to the rule of this name, from the next micro-batch on.

        It holds beside the table of rules, and in the place of the table's rule of this name. It stays when
        the query is started again with its checkpoint.

        Args:
            rule: its name.
            condition: a boolean expression of SQL, as for `match`.

        Raises:
            ArgumentError: an argument is not text.
            pyspark.errors.AnalysisException: the condition is not valid, the query does not run any more, or
                it has several calls of `match`. Nothing is changed then.
        """
        for given in (rule, condition):
            if not isinstance(given, str):
                raise wrong("streamon.rules(...).add", "a name and a condition as text", given)
        arguments = {"rule": rule, "condition": condition}
        self._take(self._call("streamon_add_rule(:query, :rule, :condition)", arguments))

    def remove(self, rule: str) -> None:
        """Leave a rule out, from the next micro-batch on.

        A rule of the table stays out, also when the query is started again, until it is added again.

        Args:
            rule: its name.

        Raises:
            ArgumentError: the query has no such rule. The message lists those that it has.
            pyspark.errors.AnalysisException: as for `add`.
        """
        self.refresh()
        names = [one.rule for one in self]
        if rule not in names:
            raise ArgumentError(
                f"streamon.rules(...).remove: the query has no rule {rule!r}. Its rules: {shortened(names)}."
            )
        self._take(self._call("streamon_remove_rule(:query, :rule)", {"rule": rule}))

    def refresh(self) -> None:
        """Ask for the rules again.

        Raises:
            pyspark.errors.AnalysisException: the query does not run any more.
        """
        self._take(self._call("streamon_rules(:query)"))

    def _call(self, function: str, arguments: dict[str, str] | None = None) -> DataFrame:
        spark, query = scope.session_and_id(self._of)
        return select(spark, function, {"query": query, **(arguments or {})})

    def _item(self, row: Row) -> Rule:
        return record(Rule, row)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "The query has no rules."

    def _repr_html_(self) -> str:
        cells = ((one.rule, one.condition, one.state, one.reason) for one in self)
        return html_table(("rule", "condition", "state", "reason"), cells, left=4)


def rules(query: StreamingQuery | str) -> Rules:
    """The rules of a running query on a stream that `match` has returned, to look at and to change.

    >>> rules = streamon.rules(query)  # doctest: +SKIP
    >>> rules.add("far", "distance > 5000")  # doctest: +SKIP
    >>> rules.remove("short_hop")  # doctest: +SKIP

    Args:
        query: a streaming query that runs, or its id as text.

    Raises:
        ArgumentError: `query` has another type.
        NotLoadedError: the session, or its Connect server, runs without StreaMon.
        SparkVersionError: StreaMon, or its jar, does not support the Spark of the session.
        VersionMismatchError: the jar of the session is of another version than this package.
        pyspark.errors.AnalysisException: no such query runs, or it has no rules.
    """
    if not isinstance(query, str) and not scope.is_query(query):
        raise wrong("streamon.rules", "a StreamingQuery or the id of a query as text", query)
    return Rules(query)
