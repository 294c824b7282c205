"""What takes longer to make than to read, kept between processes in the user's cache folder.

Losing it loses nothing: a folder that cannot be written, another version of Python, a torn file only cost time.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import re
import sys
from array import array
from importlib import import_module
from pathlib import Path
from typing import Any

_sre: Any
_compiler: Any
_parser: Any
try:
    _sre, _compiler, _parser = (import_module(name) for name in ("_sre", "re._compiler", "re._parser"))
except ImportError:  # another Python than CPython compiles its patterns itself
    _sre = None

LEAST = 48  # codes; a shorter pattern is made as fast as found
MOST = 5000  # patterns that are kept; past this many the folder is begun anew


def folder() -> Path:
    """VERIFY_CACHE, else the user's cache folder."""
    given = os.environ.get("VERIFY_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "verifier"


def _path(name: str) -> Path:
    return folder() / f"{name}-{sys.implementation.cache_tag}-{sys.hexversion:x}.bin"


def read(name: str) -> Any:
    """What was kept under a name, or None."""
    try:
        return marshal.loads(_path(name).read_bytes())
    except (OSError, ValueError, EOFError, TypeError, RuntimeError):
        return None


def write(name: str, value: Any) -> None:
    """Keep plain data (texts, numbers, tuples, lists, dicts) under a name; one writer's file replaces another's whole."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_bytes(marshal.dumps(value))
        draft.replace(path)


class Patterns:
    """Compiled regular expressions: making some six hundred of them is most of a short command's time."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[Any, ...]] = read("patterns") or {}
        self._fresh = False

    def install(self) -> None:
        """From now on `re` looks here first."""
        if _sre is not None:
            self._made = _compiler.compile
            _compiler.compile = self._compile

    def _compile(self, pattern: Any, flags: int = 0) -> Any:
        if not isinstance(pattern, str) or flags & re.DEBUG:
            return self._made(pattern, flags)
        key = (pattern, int(flags))
        if key in self._known:
            all_flags, packed, *rest = self._known[key]
            return _sre.compile(pattern, all_flags, array("I", packed).tolist(), *rest)
        parsed = _parser.parse(pattern, flags)
        names = parsed.state.groupdict
        places: list[str | None] = [None] * parsed.state.groups
        for name, place in names.items():
            places[place] = name
        codes = list(map(int, _compiler._code(parsed, flags)))
        rest = [parsed.state.groups - 1, dict(names), tuple(places)]
        if len(codes) >= LEAST:
            self._known[key] = (int(flags | parsed.state.flags), array("I", codes).tobytes(), *rest)
            self._fresh = True
        return _sre.compile(pattern, int(flags | parsed.state.flags), codes, *rest)

    def keep(self) -> None:
        """Write what this process compiled anew."""
        if self._fresh:
            write("patterns", self._known if len(self._known) <= MOST else {})
