"""Makes a package of the source files that came with a task, once in each worker."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def load(package: str, sources: dict[str, str]) -> dict[str, Any]:
    """The modules of a package, by name.

    `package` has a number for its contents in it, since a worker may serve jars of two versions. `sources`
    has the text of each module, those first that others import.
    """
    if package not in sys.modules:
        parent = ModuleType(package)
        parent.__path__ = []
        sys.modules[package] = parent
        for name, text in sources.items():
            module = ModuleType(f"{package}.{name}")
            sys.modules[module.__name__] = module
            exec(compile(text, f"<streamon_worker>/{name}.py", "exec"), module.__dict__)  # noqa: S102
    return {name: sys.modules[f"{package}.{name}"] for name in sources}
