"""A family is a folder with one member a file; the file's name is the word that users type."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from verifier.errors import UsageError


@lru_cache(maxsize=16)
def members(package: str) -> dict[str, str]:
    """{word: module name} of a family, from its file names; helpers begin with an underscore."""
    paths = import_module(package).__path__
    names = sorted(m.name for m in pkgutil.iter_modules(paths) if not m.name.startswith("_"))
    return {name.replace("_", "-"): f"{package}.{name}" for name in names}


def member(package: str, word: str) -> ModuleType:
    """The member that a user named; raises UsageError with the words that exist."""
    known = members(package)
    if word not in known:
        raise UsageError(f"unknown {package.rsplit('.', 1)[-1].rstrip('s')} {word!r}; known: {', '.join(known)}")
    return import_module(known[word])
