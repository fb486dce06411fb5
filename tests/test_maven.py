"""The jar by its Maven coordinates: published to a folder, and found there by spark-submit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pyspark
import pytest
from conftest import ROOT
from programs import FILTER, START, run_program

import streamon
from streamon.jar import line

pytestmark = pytest.mark.prove

POM = {"": "http://maven.apache.org/POM/4.0.0"}
ARTIFACT = f"streamon-spark-{line(pyspark.__version__)}_2.13"
CONFS = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Maven repository with the jar for the installed Spark."""
    folder = tmp_path_factory.mktemp("maven")
    project = f"spark{line(pyspark.__version__).replace('.', '')}"
    command = [ROOT / "sbt", f"-Dstreamon.maven={folder}", f"{project}/publish"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_pom_asks_for_nothing_that_spark_does_not_have(repository: Path) -> None:
    version = streamon.version()
    folder = repository / "org" / "streamon" / ARTIFACT / version
    project = ElementTree.parse(folder / f"{ARTIFACT}-{version}.pom").getroot()  # noqa: S314
    coordinates = [project.findtext(tag, namespaces=POM) for tag in ("groupId", "artifactId", "version")]
    assert coordinates == ["org.streamon", ARTIFACT, version]
    asked = [
        [one.findtext(tag, namespaces=POM) for tag in ("groupId", "artifactId", "scope")]
        for one in project.findall("dependencies/dependency", POM)
    ]
    assert asked == [["org.apache.spark", "spark-sql_2.13", "provided"]]
    assert (folder / f"{ARTIFACT}-{version}.jar").is_file()


def test_spark_submit_finds_the_packages_and_runs_an_adaptive_filter(
    repository: Path, tmp_path: Path
) -> None:
    """From the repository, with a cache of its own: nothing else can have the jar."""
    confs = {**CONFS, "spark.jars.ivy": str(tmp_path / "ivy")}
    submit = (
        "spark-submit",
        *("--packages", f"org.streamon:{ARTIFACT}:{streamon.version()}"),
        *("--repositories", repository.as_uri()),
        *(word for key, value in confs.items() for word in ("--conf", f"{key}={value}")),
    )
    done = run_program(
        "spark = builder.getOrCreate()" + FILTER + "spark.stop()\n",
        scripts=Path(sys.executable).parent,
        folder=tmp_path,
        with_command=submit,
        start=START.replace("import streamon\n", ""),
    )
    assert done.stdout == "rows 33 adaptive 1\n", done.stderr
    assert "1 artifacts copied" in done.stderr
