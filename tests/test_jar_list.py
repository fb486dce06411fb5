"""Lists of jars, as `spark.jars` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamon
from streamon.jar_list import items, names, union


@pytest.mark.parametrize(
    ("lists", "all_of_them"),
    [
        ((), ""),
        (("", " "), ""),
        (("/a.jar, /b.jar", "/c.jar"), "/a.jar,/b.jar,/c.jar"),
        (("file:///a.jar", "/a.jar"), "file:///a.jar"),
        (("file:/a.jar", "file:///a.jar"), "file:/a.jar"),
        (("file:///a%20b.jar", "/a b.jar"), "file:///a%20b.jar"),
        (("s3://x/a.jar", "/a.jar", "s3://x/a.jar"), "s3://x/a.jar,/a.jar"),
        (("/v=1/a.jar", "/v=2/a.jar"), "/v=1/a.jar,/v=2/a.jar"),
        (("local:/a.jar", "/a.jar"), "local:/a.jar,/a.jar"),
    ],
)
def test_a_union_has_each_jar_once(lists: tuple[str, ...], all_of_them: str) -> None:
    assert union(*lists) == all_of_them


def test_a_relative_path_is_that_of_a_file_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert union(f"file://{tmp_path}/lib/a.jar", "lib/a.jar") == f"file://{tmp_path}/lib/a.jar"


def test_a_uri_may_be_relative_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert union("file:a.jar", f"{tmp_path}/a.jar", "b.jar") == "file:a.jar,b.jar"


def test_empty_places_of_a_list_are_no_jars() -> None:
    assert items(" /a.jar ,, /b.jar,") == ["/a.jar", "/b.jar"]


def test_streamons_jar_is_known_by_its_name() -> None:
    own = streamon.jar_path()
    assert names(f"/a.jar,file:///b/{own.name}", own)
    assert not names("/a.jar,/b/not-streamon.jar", own)
