"""The joins of the caching bench, each as one query and as a tree of joins of two."""

from __future__ import annotations

from dataclasses import dataclass

from streamon_lab.bench.streaming.workload import Stream


@dataclass(frozen=True)
class JoinQuery:
    """A join of `streams`: `whole`, and as a `tree` of joins of two where that is measured."""

    streams: tuple[Stream, ...]
    whole: str
    tree: str = ""

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of the results."""
        return tuple(part.rsplit(" AS ", 1)[1] for part in self.whole.split(" FROM ")[0].split(", "))


APART = "WHERE rand(0) + 1 > 0"
"""Always true, and not deterministic: keeps the join below from being one with that above."""

RST = JoinQuery(
    (
        Stream("r", "a BIGINT, v BIGINT"),
        Stream("s", "a BIGINT, b BIGINT, v BIGINT"),
        Stream("t", "b BIGINT, v BIGINT"),
    ),
    "SELECT s.a AS a, s.b AS b, r.v + s.v + t.v AS x FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b",
    "SELECT /*+ MJOIN(rs, t) */ rs.a AS a, rs.b AS b, rs.v + t.v AS x "
    f"FROM (SELECT /*+ MJOIN(r, s) */ s.a, s.b, r.v + s.v AS v FROM r JOIN s ON r.a = s.a {APART}) rs "
    "JOIN t ON rs.b = t.b",
)

CHAIN = JoinQuery(
    (
        Stream("r", "a BIGINT, v BIGINT"),
        Stream("s", "a BIGINT, b BIGINT, v BIGINT"),
        Stream("t", "b BIGINT, c BIGINT, v BIGINT"),
        Stream("u", "c BIGINT, v BIGINT"),
    ),
    "SELECT s.a AS a, t.c AS c, r.v + s.v + t.v + u.v AS x "
    "FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b JOIN u ON t.c = u.c",
    "SELECT /*+ MJOIN(rst, u) */ rst.a AS a, rst.c AS c, rst.v + u.v AS x "
    "FROM (SELECT /*+ MJOIN(rs, t) */ rs.a, t.c, rs.v + t.v AS v "
    f"FROM (SELECT /*+ MJOIN(r, s) */ s.a, s.b, r.v + s.v AS v FROM r JOIN s ON r.a = s.a {APART}) rs "
    f"JOIN t ON rs.b = t.b {APART}) rst JOIN u ON rst.c = u.c",
)

ONE_KEY = JoinQuery(
    tuple(Stream(name, "k BIGINT, v BIGINT") for name in "rstu"),
    "SELECT r.k AS k, r.v + s.v + t.v + u.v AS x "
    "FROM r JOIN s ON r.k = s.k JOIN t ON s.k = t.k JOIN u ON t.k = u.k",
    "SELECT /*+ MJOIN(rst, u) */ rst.k AS k, rst.v + u.v AS x "
    "FROM (SELECT /*+ MJOIN(rs, t) */ rs.k, rs.v + t.v AS v "
    f"FROM (SELECT /*+ MJOIN(r, s) */ r.k, r.v + s.v AS v FROM r JOIN s ON r.k = s.k {APART}) rs "
    f"JOIN t ON rs.k = t.k {APART}) rst JOIN u ON rst.k = u.k",
)

RANGE = JoinQuery(
    (
        Stream("r", "a BIGINT, x BIGINT, v BIGINT"),
        Stream("s", "a BIGINT, x BIGINT, b BIGINT, v BIGINT"),
        Stream("t", "b BIGINT, v BIGINT"),
    ),
    "SELECT s.a AS a, s.b AS b, r.v + s.v + t.v AS x "
    "FROM r JOIN s ON r.a = s.a AND r.x BETWEEN s.x - 2 AND s.x + 2 JOIN t ON s.b = t.b",
    "SELECT /*+ MJOIN(rs, t) */ rs.a AS a, rs.b AS b, rs.v + t.v AS x "
    "FROM (SELECT /*+ MJOIN(r, s) */ s.a, s.b, r.v + s.v AS v "
    f"FROM r JOIN s ON r.a = s.a AND r.x BETWEEN s.x - 2 AND s.x + 2 {APART}) rs JOIN t ON rs.b = t.b",
)
