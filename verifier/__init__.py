"""verifier: find what is wrong, or cannot be relied on, in the numbers of a briefing.

The Python API: `extract(text)`, `numbers(text)`, `compare(a, b)`, `run(path, ...)`; each part loads when first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

API = {"numbers": "verifier.extract.compose", "compare": "verifier.compare", "run": "verifier.pipeline"}


class _Package(ModuleType):
    """`verifier.extract` is a function for users and a folder for us: importing the folder must not hide the function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in ("extract", "compare") and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def extract(text: str) -> list[Any]:
    """The claims of a text, in order of place (`verifier.models.Claim`). Raises nothing for odd text."""
    stage, reader = import_module("verifier.extract"), import_module("verifier.read")
    return list(stage.extract(reader.read_text(text)))


def __getattr__(name: str) -> Any:
    if name in API:
        return getattr(import_module(API[name]), name)
    raise AttributeError(f"module 'verifier' has no attribute {name!r}")
