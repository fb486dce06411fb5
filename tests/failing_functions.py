"""Filters in which a function raises, or ends its worker, on some rows; for generated tests."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from python_functions import KINDS, Drawn, Query, draw_conditions, ids_of, made, table
from python_predicates import PREFIX, Change, conditions_of, is_adapted, outcome, stock_outcome

RAISES, DIES, DIES_ONCE = "raises", "dies", "dies once"


@dataclass(frozen=True)
class FailingQuery:
    """A drawn filter with a function that fails on some rows.

    Attributes:
        query: it.
        harmless: the same, but the function lets these rows pass.
        fails: whether the function fails on the row with this `id`.
        reached: written to when it fails.
    """

    query: Query
    harmless: Query
    fails: Callable[[int], bool]
    reached: Path

    def again(self) -> FailingQuery:
        """The same, planned anew."""
        return replace(self, query=replace(self.query, frame=self.query.frame.select("*")))


def draw_failing_query(draw: random.Random, source: DataFrame, folder: Path, ways: list[str]) -> FailingQuery:
    """A drawn filter, a function in it that fails, and mostly a condition that drops such rows, or just not.

    That one is dear or cheap, of the JVM or on a function, ahead or behind.
    """
    way, kind = draw.choice(ways), draw.choice(KINDS)
    every = draw.choice([10, 100, 1000])
    fails_at = draw.randrange(every)
    reached = folder / f"reached-{draw.random()}"

    def fails(n: int) -> bool:
        return n % every == fails_at

    def fail(n: int) -> bool:
        if fails(n):
            first = not reached.exists()
            reached.touch()
            if way == RAISES:
                raise ValueError("boom")
            if way == DIES or first:
                os._exit(1)
        return n % 4 > 0 or fails(n)

    def harmless(n: int) -> bool:
        return n % 4 > 0 or fails(n)

    drawn = draw_conditions(draw)
    place = draw.randint(0, len(drawn))
    guard = _guard(draw, every, fails_at)
    ahead = draw.random() < 0.7

    def query(call: Callable[[int], bool]) -> Query:
        failing = Drawn(made(kind, call, "boolean")("id"), f"{kind} {way} where id % {every} = {fails_at}")
        pair = [guard, failing] if ahead else [failing, guard]
        return ids_of(source, drawn[:place] + [p for p in pair if p] + drawn[place:])

    return FailingQuery(query(fail), query(harmless), fails, reached)


def _guard(draw: random.Random, every: int, fails_at: int) -> Drawn | None:
    """Drops exactly the rows at this remainder, or those at the next, or there is none."""
    if draw.random() < 0.2:
        return None
    at = fails_at if draw.random() < 0.7 else (fails_at + 1) % every
    if draw.random() < 0.3:
        kind = draw.choice(KINDS)
        condition = made(kind, lambda n: n % every != at, "boolean")("id")
        return Drawn(condition, f"{kind} id % {every} <> {at}")
    jvm = draw.choice([f"id % {every} <> {at}", f"NOT concat('-', id % {every}) RLIKE '^.*-{at}$'"])
    return Drawn(F.expr(jvm), jvm)


def compare(session: SparkSession, drawn: FailingQuery) -> list[str]:
    """Assert that an adaptive filter, which the query must have, gives the rows or the error of stock Spark.

    An error may vanish where other conditions drop all rows on which the function fails; then the rows are
    those that the others let pass. What happened is told in words.
    """
    assert is_adapted(drawn.query.frame)
    adapted = outcome(drawn.query.frame)
    words = ["error"] if isinstance(adapted, tuple) else []
    words += ["function failed"] if drawn.reached.exists() else []
    stock = stock_outcome(session, lambda: drawn.query.frame.select("*"))
    if isinstance(stock, tuple) and isinstance(adapted, list):
        words.append("error vanished")
        stock = stock_outcome(session, lambda: drawn.harmless.frame.select("*"))
        assert not any(drawn.fails(row.id) for row in stock), "no condition drops what it fails on"
    assert adapted == stock
    return words


def generated_trials(
    session: SparkSession, change: Change, seed: int, trials: int, folder: Path, ways: list[str]
) -> None:
    """Draw queries until `trials` of them adapt and functions failed. Compare these with stock Spark.

    Most of them have a drawn order of their conditions.
    """
    print(f"replay with STREAMON_SEED={seed}")
    draw = random.Random(seed)  # noqa: S311
    source = table(session, 3000, 2)
    found = Counter[str]()
    while found["adapted"] < trials or found["function failed"] <= trials // 20:
        trial = found["adapted"] + found["left to Spark"]
        assert trial < 3 * trials + 40, f"in {trial} draws: {dict(found)}"
        settings = {
            "spark.sql.execution.arrow.maxRecordsPerBatch": draw.choice([100, 400, 10_000]),
            f"{PREFIX}mode": "always",
            f"{PREFIX}profilingProbability": draw.choice([0, 0.1, 1]),
            f"{PREFIX}profilingBudget": 1,
        }
        change(settings)
        session.conf.unset(f"{PREFIX}forcedOrder")
        drawn = draw_failing_query(draw, source, folder, ways)
        if not is_adapted(drawn.query.frame):
            found["left to Spark"] += 1
            continue
        if draw.random() < 0.6:
            count = conditions_of(drawn.query.frame)
            settings[f"{PREFIX}forcedOrder"] = ",".join(map(str, draw.sample(range(count), count)))
            change(settings)
            drawn = drawn.again()
        try:
            found.update(["adapted", *compare(session, drawn)])
        except AssertionError as error:
            raise AssertionError(
                f"trial {trial} of seed {seed}: {drawn.query.words}; with {settings}"
            ) from error
    print(dict(found))
