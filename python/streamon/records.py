"""Rows of table functions as small objects."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from pyspark.sql import Row

from streamon.errors import VersionMismatchError
from streamon.jar import version

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


def record(kind: type[T], row: Row) -> T:
    """The object of a row, which has a column for each field. Other columns are left out.

    Raises:
        VersionMismatchError: the row lacks a column. So the jar of the session, or of its Spark Connect
            server, is of another version than this package.
    """
    cells = row.asDict()
    missing = [field.name for field in fields(kind) if field.name not in cells]
    if missing:
        raise VersionMismatchError(
            f"A table of StreaMon has no column {', '.join(missing)}, which the Python package {version()} "
            "reads: install the same version of the package and of the jar of the session."
        )
    return kind(**{field.name: cells[field.name] for field in fields(kind)})
