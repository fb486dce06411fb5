"""The error classes are part of the package's interface."""

from __future__ import annotations

import inspect

import streamon
from streamon import errors


def test_the_package_exports_every_error_class() -> None:
    classes = {name: one for name, one in vars(errors).items() if inspect.isclass(one)}
    assert len(classes) >= 9
    for name, one in classes.items():
        assert issubclass(one, streamon.StreamonError), name
        assert getattr(streamon, name, None) is one, name
        assert name in streamon.__all__, name


def test_a_wrong_argument_is_a_type_error() -> None:
    assert issubclass(streamon.ArgumentError, TypeError)
