"""The two distributions of the repository: what each carries, needs and says of itself."""

from __future__ import annotations

import re
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import ROOT, build

import streamon

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LAB = ROOT / "python" / "streamon_lab"


@pytest.fixture(scope="module")
def lab_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of streamon-lab, built from its source archive."""
    folder = tmp_path_factory.mktemp("lab")
    build(LAB, folder)
    (built,) = folder.glob("*.whl")
    return built


def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(files.read(name).decode())


def required(wheel: Path) -> set[str]:
    """What a wheel depends on, without what its extras add."""
    return {one for one in metadata(wheel).get_all("Requires-Dist", []) if "extra ==" not in one}


def of_extras(wheel: Path) -> set[str]:
    """What the extras of a wheel add."""
    return set(metadata(wheel).get_all("Requires-Dist", [])) - required(wheel)


def named(requirements: set[str]) -> set[str]:
    """The packages that requirements are about."""
    return {re.split(r"[^\w-]", one)[0] for one in requirements}


def test_the_lab_carries_its_whole_package(lab_wheel: Path) -> None:
    names = {name for name in ZipFile(lab_wheel).namelist() if ".dist-info/" not in name}
    sources = {f"streamon_lab/{file.relative_to(LAB)}" for file in LAB.rglob("*.py")}
    assert names == sources - {"streamon_lab/hatch_build.py"} | {"streamon_lab/py.typed"}


def test_both_have_one_version_and_the_lab_needs_exactly_that(wheel: Path, lab_wheel: Path) -> None:
    version = streamon.version()
    assert metadata(wheel)["Version"] == metadata(lab_wheel)["Version"] == version
    assert f"streamon[spark]=={version}" in required(lab_wheel)


def test_streamon_itself_needs_nothing_and_the_lab_all_that_it_imports(wheel: Path, lab_wheel: Path) -> None:
    assert required(wheel) == set()
    imported = {
        name
        for file in LAB.rglob("*.py")
        if file.name not in ("hatch_build.py", "flink_service.py")
        for name in re.findall(r"^\s*(?:from|import) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    } - {"streamon_lab", "streamon", "pyspark", "py4j", *sys.stdlib_module_names}
    packages = {"sklearn": "scikit-learn"}
    needed, optional = named(required(lab_wheel)), named(of_extras(lab_wheel))
    assert optional == {"polars"}
    assert needed - {"streamon", "tpchgen-cli"} | optional == {packages.get(name, name) for name in imported}


def test_both_have_the_licence(wheel: Path, lab_wheel: Path) -> None:
    text = (ROOT / "LICENSE").read_bytes()
    for built in (wheel, lab_wheel):
        with ZipFile(built) as files:
            (name,) = (name for name in files.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
            assert files.read(name) == text


def test_the_readme_of_an_index_has_nothing_relative(wheel: Path) -> None:
    """No address of the repository is known, so an index could follow none of it."""
    shown = metadata(wheel).get_payload()
    assert isinstance(shown, str)
    assert shown.startswith("# StreaMon")
    assert re.findall(r"\]\((?!https?:|mailto:|#)", shown) == []
    assert re.findall(r"<(?:img|source)\b", shown) == []


def test_the_commands() -> None:
    for project, scripts in {
        ROOT: {"streamon": "streamon.cli.main:main"},
        LAB: {"streamon-lab": "streamon_lab.cli:main"},
    }.items():
        with (project / "pyproject.toml").open("rb") as file:
            assert tomllib.load(file)["project"]["scripts"] == scripts


def test_the_conda_recipe_is_of_this_version() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    (spark,) = project["optional-dependencies"]["spark"]
    assert f"\n  version: {streamon.version()}\n" in recipe
    assert f"    - {spark.replace('pyspark', 'pyspark ')}\n" in recipe
    assert recipe.count(f"python {project['requires-python']}\n") == 2
    for name, module in project["scripts"].items():
        assert f"      - {name} = {module}\n" in recipe
