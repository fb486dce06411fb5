"""What the bench of routes makes of its runs: figures, JSON and the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from streamon_lab.bench.filters.adaptive import Counted
from streamon_lab.bench.filters.model import PassCounts
from streamon_lab.bench.filters.orders import orders_of
from streamon_lab.bench.filters.profile import Profile
from streamon_lab.bench.filters.workload import Predicate, Workload
from streamon_lab.bench.measure import Timings
from streamon_lab.bench.routes import given, markdown, report, variants
from streamon_lab.bench.routes.bench import MeasuredFilter
from streamon_lab.bench.routes.classifier import ONE, ONE_AGAIN, TREE, TREE_AGAIN, Classifier
from streamon_lab.bench.routes.joins.bench import MeasuredJoin
from streamon_lab.bench.routes.joins.kinds import Kind
from streamon_lab.bench.routes.joins.variants import ORACLE as JOIN_ORACLE
from streamon_lab.bench.routes.joins.workload import KindsJoin
from streamon_lab.bench.routes.learned import Route
from streamon_lab.bench.routes.summary import TARGETS, summary
from streamon_lab.bench.routes.workloads import flights, join
from streamon_lab.bench.routes.workloads.logs import DRIFT, ONE_KIND, THREE_KINDS
from streamon_lab.bench.streaming.run import Answer, JoinRun
from streamon_lab.bench.streaming.workload import JoinWorkload, Stream

ENVIRONMENT = {
    **{"spark_cores": 2, "spark": "4.3.0", "java": "17", "system": "Linux"},
    **{"machine_cores": 2, "load_average_at_start": 0.1},
}


def measured_as(name: str, **seconds: float) -> MeasuredFilter:
    """What a run of these times would give: half of them by the clock, and twice in the JVM."""
    named = {
        "best": variants.STOCK_BEST,
        "oracle": variants.ORACLE,
        "greedy": variants.A_GREEDY,
        "again": variants.A_GREEDY_AGAIN,
        "mesh": variants.QUERY_MESH,
        "given": given.GIVEN,
        "apart": given.APART,
    }
    if name == THREE_KINDS.name:
        seconds = {"given": 4.8, "apart": 4.4, **seconds}
    timings = {named[k]: Timings([s / 2], [s]) for k, s in seconds.items()}
    jvm = {variant: [t.cpu_median * 2] for variant, t in timings.items()}
    workload = Workload(
        name,
        f"title of {name}",
        (Predicate("f", "a > 1"), Predicate("g", "b > 1")),
        Path("whole"),
        segments=(Path("left"), Path("right")),
        columns=("a", "b"),
    )
    # f drops the left part, and g the right one.
    parts = ({0b10: 8}, {0b01: 4})
    profile = Profile(tuple(PassCounts.from_histogram(2, part) for part in parts), (10.0, 10.0))
    orders = orders_of(profile)
    counted = {variants.QUERY_MESH: [Counted((9, 3), (0, 1), 2, 1)]}
    routes = [Route(0, "a <= 1", (0, 1), 0.667, 0.25, 0.2), Route(1, "a > 1", (1, 0), 0.333, 0.25, 0.2)]
    return MeasuredFilter(workload, profile, orders, orders.best, timings, jvm, counted, routes)


def measured_join(**seconds: float) -> MeasuredJoin:
    """The same of a join, whose variants look up 50 rows a second of processor time."""
    named = {
        "oracle": JOIN_ORACLE,
        "greedy": variants.A_GREEDY,
        "again": variants.A_GREEDY_AGAIN,
        "mesh": variants.QUERY_MESH,
    }
    timings = {named[k]: Timings([s / 2], [s]) for k, s in seconds.items()}
    runs = {
        v: [JoinRun(t.median, t.cpu_median, Answer(1, 1), probes=round(50 * t.cpu_median), profiled=3)]
        for v, t in timings.items()
    }
    streams = tuple(Stream(name, "k BIGINT") for name in ("r", "s", "t"))
    of = JoinWorkload(join.NAME, "title of join", streams, "", ("k",), Path("joined"), 2, 100, ())
    kinds = (Kind("left", 40, (0.0, 1.0)), Kind("right", 40, (1.0, 0.0)))
    jvm = {variant: [t.cpu_median * 2] for variant, t in timings.items()}
    return MeasuredJoin(KindsJoin(of, kinds, ("s.a > r.a", "t.b > r.b")), timings, jvm, runs)


def classifier_of(one: float, tree: float) -> Classifier:
    """Of the twelve rows; its noise is that of the two without a tree, which are a second apart."""
    seconds = {ONE: one, ONE_AGAIN: one + 1, TREE: tree, TREE_AGAIN: tree}
    return Classifier(12, {name: Timings([], [s]) for name, s in seconds.items()})


def test_the_figures() -> None:
    found: list[MeasuredFilter | MeasuredJoin] = [
        measured_as(THREE_KINDS.name, best=7.0, oracle=4.0, greedy=6.5, again=6.5, mesh=5.0),
        measured_as(flights.NAME, best=3.0, oracle=2.0, greedy=3.3, again=3.0, mesh=2.2),
        measured_as(ONE_KIND.name, best=2.0, greedy=2.0, again=2.0, mesh=2.1),
        measured_as(DRIFT.name, best=3.0, oracle=2.0, greedy=4.0, again=4.0, mesh=3.8),
        measured_join(oracle=4.0, greedy=7.0, again=7.0, mesh=5.0),
    ]
    figures = summary(found)
    assert figures["gain_over_a_greedy"] == pytest.approx(1.3)
    assert figures["regret_to_oracle"] == pytest.approx(1.25)
    assert figures["given_routes_to_oracle"] == pytest.approx(1.2)
    assert figures["given_routes_kinds_apart_to_oracle"] == pytest.approx(1.1)
    assert figures["uniform_ratio"] == pytest.approx(1.05)
    assert figures["drift_ratio"] == pytest.approx(0.95)
    assert figures["flights_gain_over_a_greedy"] == pytest.approx(1.5)
    assert figures["flights_oracle_gain"] == pytest.approx(1.5)
    assert figures["join_gain"] == figures["join_gain_clock"] == pytest.approx(1.4)
    assert figures["join_regret_to_oracle"] == figures["join_regret_to_oracle_jvm"] == pytest.approx(1.25)
    assert figures["noise_floor"] == pytest.approx(0.1)
    assert figures["gain_over_a_greedy_clock"] == figures["gain_over_a_greedy_jvm"] == pytest.approx(1.3)
    assert set(TARGETS) <= set(figures)
    assert summary(found[2:])["gain_over_a_greedy"] is None
    assert summary(found[:-1])["join_gain"] is None
    assert summary(found[-1:])["join_gain"] == pytest.approx(1.4)


def test_each_of_the_times_has_its_figures() -> None:
    measured = measured_as(ONE_KIND.name, best=2.0, greedy=2.0, again=2.0, mesh=2.0)
    measured.jvm_seconds[variants.QUERY_MESH] = [5.0]
    slower = Timings([1.2], [2.0])
    figures = summary([replace(measured, timings={**measured.timings, variants.QUERY_MESH: slower})])
    assert figures["uniform_ratio"] == pytest.approx(1.0)
    assert figures["uniform_ratio_clock"] == pytest.approx(1.2)
    assert figures["uniform_ratio_jvm"] == pytest.approx(1.25)


@pytest.mark.parametrize(("tree", "share"), [(3.5, 0.2), (2.4, None), (1.0, None)])
def test_the_share_of_the_tree_is_none_unless_it_is_above_noise(tree: float, share: float | None) -> None:
    measured = measured_as(THREE_KINDS.name, best=7.0, oracle=4.0, greedy=6.5, again=6.5, mesh=10.0)
    figures = summary([replace(measured, classifier=classifier_of(1.0, tree))])
    assert figures["classifier_share"] == share
    assert figures["classifier_ns_a_row"] == pytest.approx((tree - 1.5) / 12 * 1e9)
    assert figures["classifier_noise_ns_a_row"] == pytest.approx(1 / 12 * 1e9)
    assert "classifier_share_clock" not in figures
    assert summary([measured])["classifier_share"] is None


def test_what_the_oracle_could_win() -> None:
    measured = measured_as(THREE_KINDS.name, best=3.0, oracle=2.0, greedy=3.0, again=3.0, mesh=2.5)
    assert measured.prize.evaluations == pytest.approx(16 / 12)
    assert measured.prize.nanos == pytest.approx(16 / 12)
    assert measured.evaluated(variants.STOCK_BEST) == 16
    assert measured.evaluated(variants.ORACLE) == 12
    assert measured.evaluated(variants.QUERY_MESH) == 12


def test_the_page_has_the_method_the_prize_and_every_variant() -> None:
    measured = measured_as(THREE_KINDS.name, best=7.0, oracle=4.0, greedy=6.5, again=6.5, mesh=5.0)
    measured = replace(
        measured,
        counted=dict.fromkeys(variants.ALGORITHMS, measured.counted[variants.QUERY_MESH]),
        classifier=classifier_of(1.0, 2.4),
    )
    result = report.as_json([measured], ENVIRONMENT, {"rounds": 3})
    text = markdown.as_markdown(result, "routes.json")
    assert "routes.json" in text
    assert "| three-kinds | title of three-kinds | 1.33 | 1.33 |" in text
    assert "| `gain_over_a_greedy` | 1.300 | >= 1.3 | yes |" in text
    assert "| `regret_to_oracle` | 1.250 | <= 1.1 | **no** |" in text
    assert "|  | left | 8 | f, g |" in text
    assert "| `classifier_share` | not measured |" in text
    assert "| `classifier_ns_a_row` | 75000000.0 |" in text
    assert 'tree -- "a #62; 1" --> route1["<b>route 1</b><br>share of rows 33.3%<br>g, f"]' in text
    assert result["workloads"][0]["classifier"]["above_noise"] is False
    assert result["workloads"][0]["routes"][1] == {
        **{"route": 1, "rows": "a > 1", "order": ["g", "f"], "share": 0.333},
        **{"modelled_saving": 0.25, "measured_saving": 0.2},
    }
    for name in measured.timings:
        assert name in text


def test_a_join_has_an_entry_of_the_same_shape() -> None:
    times = {"oracle": 4.0, "greedy": 7.0, "again": 7.0, "mesh": 5.0}
    filtered, joined = (
        report.entry(m) for m in (measured_as(THREE_KINDS.name, best=7.0, **times), measured_join(**times))
    )
    assert {*joined, "routes"} == set(filtered)
    for name in ("kinds", "predicates"):
        assert set(joined[name][0]) == set(filtered[name][0])
    mesh, other = (
        next(v for v in e["variants"] if v["name"] == variants.QUERY_MESH) for e in (joined, filtered)
    )
    assert set(mesh) == set(other)
    assert (mesh["filters_evaluated"], mesh["profiled"], mesh["speed_cpu"]) == (250, 3, 1.4)
    assert mesh["cpu_us_a_row"] == pytest.approx(50_000)


def test_the_page_has_a_join_beside_filters() -> None:
    join_ = measured_join(oracle=4.0, greedy=7.0, again=7.0, mesh=5.0)
    text = markdown.as_markdown(report.as_json([join_], ENVIRONMENT, {"rounds": 3}), "routes.json")
    assert "| join | title of join | 1.50 |  |" in text
    assert "| `join_gain` | 1.4 |  |  |" in text
    assert "|  | query-mesh | 50000.00 | 2.50 | 1.40 | 1.40 | 1.40 | 2.500 |" in text
    assert "|  | left | 40 | s, t |" in text
    assert "| join | 100 | `s.a > r.a` | 0.500 |  |" in text
