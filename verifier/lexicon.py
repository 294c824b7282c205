"""The names of the field, from rules/lexicon/*.yaml, found by one Aho-Corasick automaton over all of them."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from verifier import kept
from verifier.errors import RuleError

KINDS = {"engines": "engine", "metrics": "metric", "accelerators": "accelerator", "models": "model", "projects": "project", "workloads": "workload"}

RECENT = 16384  # texts whose names are kept: the rules ask again for what was found when claims were bound
COUNTED = re.compile(r"(?<![a-z0-9.])\d{1,3}x$")  # `8xH100` counts what stands behind it


class Name(NamedTuple):
    """`text` stands at start..end of what was searched and means `canonical`."""

    start: int
    end: int
    text: str
    kind: str
    canonical: str


def rules_dir() -> Path:
    """The folder of shipped rules: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).parent / "_rules"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "rules"


def _wordish(char: str) -> bool:
    # \b fails beside Chinese: only ASCII letters and digits continue an ASCII name
    return char.isascii() and (char.isalnum() or char == "_")


class Lexicon:
    """All names of all kinds; longest match wins within a kind."""

    def __init__(self, entries: dict[str, dict[str, dict[str, Any]]]):
        import ahocorasick

        self._entries = entries
        self._automaton = ahocorasick.Automaton()
        written: dict[str, list[tuple[str, str]]] = {}
        for kind, names in entries.items():
            for canonical, entry in names.items():
                for surface in {canonical, *entry.get("aliases", ())}:
                    written.setdefault(surface.lower(), []).append((kind, canonical))
        for surface, meanings in written.items():
            self._automaton.add_word(surface, (len(surface), tuple(meanings)))
        self._automaton.make_automaton()
        self._found = lru_cache(maxsize=RECENT)(self._search)

    def entry(self, kind: str, canonical: str) -> dict[str, Any]:
        """What is known about a name; empty when nothing is."""
        return self._entries.get(kind, {}).get(canonical, {})

    def written(self, kind: str) -> list[str]:
        """Every way in which the names of a kind are written."""
        return [w for canonical, entry in self._entries.get(kind, {}).items() for w in (canonical, *entry.get("aliases", ()))]

    def names(self, text: str) -> list[Name]:
        """Names in order of place; positions are characters of `text`."""
        return list(self._found(text))

    def _search(self, text: str) -> tuple[Name, ...]:
        lower = text.lower()
        if len(lower) != len(text):  # a few capitals grow when lowered; positions must stay
            lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
        found: list[Name] = []
        for last, (length, meanings) in self._automaton.iter(lower):
            start, end = last + 1 - length, last + 1
            if _wordish(lower[start]) and start and _wordish(lower[start - 1]) and not COUNTED.search(lower, max(0, start - 5), start):
                continue
            if _wordish(lower[last]) and end < len(lower) and _wordish(lower[end]):
                if not lower[end].isdigit():
                    continue
                meanings = tuple(m for m in meanings if m[0] == "model")  # Qwen3 is a Qwen, vLLM2 no vLLM
            found.extend(Name(start, end, text[start:end], kind, canonical) for kind, canonical in meanings)
        found.sort(key=lambda n: (n.start, n.start - n.end))
        kept: list[Name] = []
        reach: dict[str, int] = {}
        widest = (0, 0)
        for name in found:
            if name.kind == "model" and name.end < widest[1]:
                continue  # the Llama of llama.cpp is no model
            widest = (name.start, name.end) if name.end > widest[1] else widest
            if name.start >= reach.get(name.kind, 0):
                kept.append(name)
                reach[name.kind] = name.end
        return tuple(kept)


def table(path: Path) -> Any:
    """A YAML file's data, kept between processes under the file's digest. Raises RuleError naming the file."""
    text = path.read_bytes()
    name = f"yaml-{hashlib.sha256(text).hexdigest()[:16]}"
    if (data := kept.read(name)) is None:
        import yaml

        try:
            data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.YAMLError as error:
            raise RuleError(f"{path}: not valid YAML: {error}") from None
        kept.write(name, data)
    return data


@lru_cache(maxsize=4)
def load(extra: Path | None = None) -> Lexicon:
    """The shipped lexicon, with a group's own files over it; raises RuleError naming the file."""
    entries: dict[str, dict[str, dict[str, Any]]] = {}
    for folder in (rules_dir() / "lexicon", *((extra,) if extra else ())):
        for stem, kind in KINDS.items():
            path = folder / f"{stem}.yaml"
            if not path.is_file():
                continue
            for canonical, value in (table(path) or {}).items():
                entry = {"aliases": value} if isinstance(value, list) else dict(value or {})
                entries.setdefault(kind, {})[str(canonical)] = {**entry, "aliases": [str(a) for a in entry.get("aliases", ())]}
    return Lexicon(entries)
