"""What the commands of the bench do with their options, before anything is generated or measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from rich.console import Console
from rich.table import Table
from typer.testing import CliRunner

from streamon_lab.bench import terminal
from streamon_lab.bench.cli import app
from streamon_lab.bench.families import Family, chosen
from streamon_lab.bench.streaming.command import keep_figures_of_flink

COMMANDS = ("filters", "joins", "caching", "constraints", "routes", "python")
RESULT = {"summary": {"speedup": 2.0}}


class Workload:
    """One with a name."""

    def __init__(self, name: str) -> None:
        self.name = name


def refuse() -> list[Workload]:
    raise AssertionError("its data are not asked for")


FAMILIES = [
    Family(("3-way", "3-way-long"), lambda: [Workload("3-way"), Workload("3-way-long")]),
    Family(("rst",), refuse),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_workload_fails_before_there_is_data(command: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    said = CliRunner().invoke(app, [command, "--quick", "--data", str(data), "--only", "nope"])
    assert said.exit_code == 2
    words = " ".join(said.output.replace("│", " ").split())
    assert "Invalid value for --only: no workload starts with nope; allowed are " in words
    assert not data.exists()


def test_every_start_has_to_match() -> None:
    with pytest.raises(typer.BadParameter, match="starts with no; allowed are 3-way, 3-way-long, rst"):
        chosen(FAMILIES, ["3-way", "no"])


def test_only_families_that_are_asked_for_generate_data() -> None:
    [family] = chosen(FAMILIES, ["3-way-"])
    assert [workload.name for workload in family.workloads()] == ["3-way-long"]
    assert chosen(FAMILIES, None) == FAMILIES


def test_a_whole_name_is_that_workload_alone() -> None:
    [family] = chosen(FAMILIES, ["3-way"])
    assert family.names == ["3-way"]
    [family] = chosen(FAMILIES, ["3-wa"])
    assert family.names == ["3-way", "3-way-long"]


def conclude(json_file: Path | None, folder: Path) -> str:
    """What is said beside stdout."""
    with (folder / "said").open("w") as said:
        terminal.conclude(
            RESULT, Table(), [], lambda name: f"page of {name}", json_file=json_file, on=Console(file=said)
        )
    return (folder / "said").read_text()


def test_a_file_gets_the_result_and_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "out.json"
    conclude(file, tmp_path)
    assert json.loads(file.read_text()) == RESULT
    assert file.with_suffix(".md").read_text() == "page of out.json"
    assert capsys.readouterr().out == ""


def test_a_dash_prints_the_result_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conclude(Path("-"), tmp_path)
    assert json.loads(capsys.readouterr().out) == RESULT


def test_without_a_file_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "written" not in conclude(None, tmp_path)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"environment": {"flink": null}}'])
def test_a_file_without_figures_of_flink_may_be_replaced(tmp_path: Path, content: str) -> None:
    file = tmp_path / "joins.json"
    file.write_text(content)
    keep_figures_of_flink(file)


def test_a_run_without_flink_does_not_replace_figures_of_flink(tmp_path: Path) -> None:
    file = tmp_path / "joins.json"
    file.write_text(json.dumps({"environment": {"flink": "2.3.0"}}))
    asked = ["joins", "--quick", "--data", str(tmp_path / "data"), "--json", str(file)]
    said = CliRunner().invoke(app, asked)
    assert said.exit_code == 2
    words = " ".join(said.output.replace("│", " ").split())
    assert "has figures of Flink 2.3.0, and this run measures none" in words
    assert not (tmp_path / "data").exists()
