"""Routes as flowcharts."""

from __future__ import annotations

from typing import Any

import pytest

from streamon_lab.bench.routes.drawing import WIDEST, drawings, flowchart, text


def route(number: int, rows: str, order: list[str], share: float | None = 0.5) -> dict[str, Any]:
    """As the JSON has it."""
    saving = {"modelled_saving": 0.25, "measured_saving": None}
    return {"route": number, "rows": rows, "order": order, "share": share, **saving}


def test_each_route_has_its_rows_its_order_and_its_share() -> None:
    api, other = route(0, "kind IN ('api')", ["p", "q"], 0.333), route(1, "kind > 3", ["q", "p"], None)
    lines = flowchart([api, other])
    assert lines == [
        "flowchart LR",
        "    rows([rows]) --> tree{tree}",
        """    tree -- "kind IN ('api')" --> route0["<b>route 0</b><br>share of rows 33.3%<br>p, q"]""",
        '    tree -- "kind #62; 3" --> route1["<b>route 1</b><br>share of rows unknown<br>q, p"]',
    ]


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ('name = "x"', "name = #34;x#34;"),
        ("a <b> & #35;", "a #60;b#62; #38; #35;35#59;"),
        ("`a`\n```", "#96;a#96; #96;#96;#96;"),
        ("x IN ('50%%', '[*]')", "x IN ('50#37;#37;', '#91;#42;#93;')"),
        ("größe <= 1.5", "größe #60;= 1.5"),
    ],
)
def test_what_mermaid_would_read_is_escaped(plain: str, escaped: str) -> None:
    assert text(plain) == escaped


def test_a_long_condition_is_cut_ahead_of_its_escapes() -> None:
    values = ", ".join(f"'<{i}>'" for i in range(100))
    label = flowchart([route(0, f"kind IN ({values})", ["p"])])[2].split('"')[1]
    assert label.startswith("kind IN ('#60;0#62;', ")
    assert label.endswith("', ...")
    assert len(label.replace("#60;", "<").replace("#62;", ">")) <= WIDEST


def test_workloads_with_one_route_are_not_drawn() -> None:
    one = {"name": "one-kind", "routes": [route(0, "all rows", ["p"])]}
    two = {"name": "two-kinds", "routes": [route(0, "a <= 1", ["p"]), route(1, "a > 1", ["q"])]}
    assert drawings([one]) == ["", "No filter ended with more than one route."]
    lines = drawings([one, two])
    assert lines[:5] == ["", "### two-kinds", "", "```mermaid", "flowchart LR"]
    assert lines.count("```") == 1
    assert "one-kind" not in " ".join(lines)
    assert "modelled 25.0%, measured unknown" in lines[-1]
