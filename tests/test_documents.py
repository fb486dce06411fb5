"""The documents: code blocks run, links lead somewhere, commands exist, references are current."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from document_commands import targets, wrong_commands
from document_links import broken_links
from document_session import needs_query, page_names, run_blocks, statements, write_data
from documents import MARKDOWN, PAGES, RUN, BadPageError, Block, blocks, name_of
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference" / "configuration.md"


def has_code(page: Path) -> bool:
    """Whether a page has blocks to run. A page that cannot be read has: its test says what is wrong."""
    try:
        return any(block.language in RUN and block.reason is None for block in blocks(page))
    except BadPageError:
        return True


@pytest.fixture(scope="session")
def document_data(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of the tables and streams that pages may use."""
    folder = tmp_path_factory.mktemp("documents")
    write_data(spark, folder)
    return folder


def run_page(spark: SparkSession, data: Path, scratch: Path, page: Path) -> None:
    found = blocks(page)
    with page_names(spark, data, scratch, query=needs_query(found)) as names:
        run_blocks(found, names, scratch)


def test_the_configuration_reference_is_current() -> None:
    """`make docs` writes it anew."""
    script = ROOT / "project" / "conf-reference"
    printed = subprocess.check_output([script, Path(sys.executable).parent], text=True)
    assert REFERENCE.read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("page", [*filter(has_code, PAGES)], ids=name_of)
def test_the_code_of_a_page_runs(
    spark: SparkSession, document_data: Path, tmp_path: Path, page: Path
) -> None:
    run_page(spark, document_data, tmp_path, page)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_of_a_page_exist(page: Path) -> None:
    assert [problem for block in blocks(page) for problem in wrong_commands(block)] == []


@pytest.mark.parametrize("page", MARKDOWN, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_the_site_has_every_page() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(str(page.relative_to(ROOT / "docs")) for page in PAGES[1:])


# Tests of these checks: each fails on a page that is broken in one place.


def written(folder: Path, text: str) -> Path:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return page


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("```python\nassert 1 == 2\n```\n", AssertionError, ""),
        ("```python\nx = 1\n```\n\n```python\nassert x == 2\n```\n", AssertionError, ""),
        ("1. a\n\n   ```python\n   assert 1 == 2\n   ```\n", AssertionError, ""),
        ("```sql\nSELECT nothing FROM logs\n```\n", AnalysisException, "nothing"),
        ("```sql\nSELECT 1;\nSELECT raise_error('second')\n```\n", Exception, "second"),
        ("```sql\nSELECT raise_error('streamed') FROM customer\n```\n", Exception, "streamed"),
    ],
    ids=["python", "one namespace", "in a list", "sql", "second statement", "stream"],
)
def test_a_block_that_fails_is_found(
    spark: SparkSession, document_data: Path, tmp_path: Path, text: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says or None):
        run_page(spark, document_data, tmp_path, written(tmp_path, text))


def test_a_failure_names_the_line_of_the_page(tmp_path: Path) -> None:
    page = blocks(written(tmp_path, "# Title\n\n```python\nx = 1\nx / 0\n```\n"))
    with pytest.raises(ZeroDivisionError) as raised:
        run_blocks(page, {}, tmp_path)
    assert raised.traceback[-1].lineno + 1 == 5


def test_a_block_with_a_reason_is_not_run(tmp_path: Path) -> None:
    text = "<!-- not run: it needs a cluster -->\n```python\nassert False\n```\n"
    (block,) = blocks(written(tmp_path, text))
    assert block.reason == "it needs a cluster"
    run_blocks([block], {}, tmp_path)


def test_a_page_leaves_the_session_as_it_was(
    spark: SparkSession, document_data: Path, tmp_path: Path
) -> None:
    def state() -> tuple[dict[str, str], set[str], int]:
        tables = {table.name for table in spark.catalog.listTables()}
        return dict(spark.conf.getAll), tables, len(spark.streams.active)

    text = (
        "```python\nspark.conf.set('spark.sql.shuffle.partitions', 7)\n"
        "spark.conf.set('spark.streamon.filter.mode', 'always')\n"
        "spark.range(3).createOrReplaceTempView('left_over')\n"
        "assert query.isActive and spark.table('joined').count() == 100\n```\n"
        "```sql\nCREATE TABLE left_behind AS SELECT 1 AS a;\nSELECT a FROM left_behind\n```\n"
    )
    before = state()
    run_page(spark, document_data, tmp_path, written(tmp_path, text))
    assert state() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<!-- not run -->\n```python\n```\n", "write the reason"),
        ("<!-- not run: -->\n```sql\n```\n", "write the reason"),
        ("<!-- not run: needs Kafka -->\n\n```python\n```\n", "directly above"),
        ("<!-- not run: needs Kafka -->\n", "directly above"),
        ("```py\nimport os\n```\n", "language is `py`"),
        ("```\nimport os\n```\n", "language is ``"),
        ("```python\nimport os\n", "not closed"),
    ],
)
def test_a_block_that_could_escape_is_found(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadPageError, match=says):
        blocks(written(tmp_path, text))


def test_statements_end_at_semicolons_outside_texts() -> None:
    text = "SET a = 1; -- a; comment\nSELECT ';', \"a;b\", `c;d` /* e;f */ FROM g;\n"
    assert statements(text) == ["SET a = 1", "SELECT ';', \"a;b\", `c;d` /* e;f */ FROM g"]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("streamon fly", "has no command `fly`"),
        ("streamon jar --colour red", "has no option `--colour`"),
        ("spark-submit --jars $(streamon jar --for 4.2) job.py", "has no option `--for`"),
        (".venv/bin/streamon doctor --cure", "has no option `--cure`"),
        ("streamon bench nothing", "has no command `nothing`"),
        ("streamon bench filters --fast", "has no option `--fast`"),
        ("cd streamon && make coffee", "no target `coffee`"),
        ("make demo coffee JOBS=2", "no target `coffee`"),
        ("pip install streamon", "name a wheel file"),
        ('pip install "streamon[spark]"', "name a wheel file"),
    ],
)
def test_a_command_that_does_not_exist_is_found(command: str, says: str) -> None:
    (problem,) = wrong_commands(Block("page.md", "console", f"$ {command}\n", 1, None))
    assert says in problem


@pytest.mark.parametrize(
    "command",
    [
        "streamon doctor",
        "streamon jar --spark 4.2",
        "streamon bench filters --quick --only W3",
        "streamon lab filters --quick",
        "make test",
        "make -j2 jar PYTHON=python3.11",
        'pip install "dist/streamon-0.1.0-py3-none-any.whl[spark]"',
    ],
)
def test_a_command_that_exists_is_right(command: str) -> None:
    assert wrong_commands(Block("page.md", "console", f"$ {command}\nwhat it prints\n", 1, None)) == []


def test_commands_of_every_script_are_known() -> None:
    helps = {
        ("streamon-lab",): "Usage: streamon-lab [OPTIONS] COMMAND [ARGS]...\n\n│ bench  Measures. │\n",
        ("streamon-lab", "bench"): "usage: streamon-lab bench [-h] {filters,joins}\n\n  filters  Filters.\n",
        (
            "streamon-lab",
            "bench",
            "filters",
        ): "Usage: streamon-lab bench filters [OPTIONS] [FILE]\n --quick\n",
    }

    def wrong(command: str) -> list[str]:
        block = Block("page.md", "console", f"$ {command}\n", 7, None)
        return wrong_commands(block, lambda words: helps.get(words, ""))

    assert wrong("streamon-lab bench filters --quick file.json") == []
    assert wrong("streamon-lab fly") == ["page.md:7: `streamon-lab` has no command `fly`"]
    assert wrong("streamon-lab bench run") == ["page.md:7: `streamon-lab bench` has no command `run`"]
    assert wrong("streamon-lab bench filters --only W3") == [
        "page.md:7: `streamon-lab bench filters` has no option `--only`"
    ]
    assert wrong("streamon doctor") == ["page.md:7: there is no command `streamon`"]


def test_a_console_without_a_prompt_is_found() -> None:
    (problem,) = wrong_commands(Block("page.md", "console", "make test\n", 1, None))
    assert "starts with `$ `" in problem


def test_targets_are_those_of_the_makefile(tmp_path: Path) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("A := b\none two: three\n\techo four: five\nsix:\n")
    assert targets(makefile) == {"one", "two", "six"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[a](gone.md)", "there is no such file"),
        ("![a](gone.svg)", "there is no such file"),
        ("[a](#gone)", "no heading `#gone`"),
        ("[a](other.md#gone)", "no heading `#gone`"),
        ("[a][b]\n\n[b]: gone.md", "there is no such file"),
        ('<img src="gone.png">', "there is no such file"),
        ("see [`code`](gone.md)", "there is no such file"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "other.md").write_text("# Here\n\n```text\n# Gone\n```\n")
    (problem,) = broken_links(written(tmp_path, f"# Title\n\n{text}\n"))
    assert says in problem


def test_a_good_link_is_right(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# What `a.b()` says: x, y\n")
    text = (
        "# Two words\n\n[a](other.md) [b](#two-words) [c](other.md#what-ab-says-x-y) [d](https://x.org/y#z)\n"
        "`[e](gone.md)`\n\n```text\n[f](gone.md)\n```\n"
    )
    assert broken_links(written(tmp_path, text)) == []
