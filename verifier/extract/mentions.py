"""Papers, releases and pull requests that a text names, each with its place: what can be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from verifier.lexicon import Name, load

_END = r"(?:v(?P<{0}>[1-9]\d*))?(?!\d|\.\d)"
_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_BARE = re.compile(r"(?<![\d./])(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{5})" + _END.format("v"), re.ASCII)
_MARK = r"(?:arxiv\s*(?:号|id)?\s*[:：]?\s*|ar(?:x|5)iv(?:\.labs\.arxiv)?\.org/(?:html|abs|pdf)/)"
_MARKED = re.compile(f"{_MARK}(?P<id>{_NEW}|{_OLD})" + _END.format("v"), re.ASCII | re.IGNORECASE)

_UNIT = r"(?:[×xX%％倍万亿]|pp|tok|req|hour|min|[kKMGTP]?(?:FLOPS|i?B|W|Hz)(?![A-Za-z\d])|[munμ]?s(?![A-Za-z\d])|分|秒|美元|个)"
_NUMBER = r"\d{1,4}(?:\.\d{1,5})+(?:[.-]?(?:rc|post|dev|alpha|beta)\d*|[ab]\d+)?(?![A-Za-z])"
_VERSION = rf"(?P<v>[vV]\.?)?(?!{_NEW}(?!\d))(?P<n>{_NUMBER}|b\d{{4,}})(?![\d%×])(?!\.\d)(?!(?:\s?[-–~～→/]\s?\d+(?:\.\d+)?)*\s?{_UNIT})"
_AFTER_NAME = re.compile(
    rf"(?:\s?[一-鿿]{{0,4}}版本?(?:对应|为|是|号)?|\s(?:version|release|ver\.))?\s{{0,2}}[~≈约]?(?:[>=≥@]{{1,2}}\s?)?{_VERSION}", re.I
)
_NEXT = re.compile(rf"(?:\s[A-Z][A-Z0-9]{{1,6}})?\s?(?P<sep>[/、,，→–~～-]|->|到|至|to)\s?[~≈约]?{_VERSION}")
_RANGE = ("→", "->", "–", "-", "~", "～", "到", "至", "to")

_PULL = re.compile(
    r"(?:https?://)?(?<![\w.-])(?:www\.)?github\.com/(?P<repo>[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]+)/(?P<kind>pull|issues)/(?P<n>\d+)",
    re.ASCII,
)
_NAMED_PULL = re.compile(r"\s{0,2}(?:(?:PR|pull request|issue)s?\s?#?|#)(?P<n>\d{2,6})(?!\d)", re.I)


@dataclass(frozen=True)
class Paper:
    """An arXiv id at start..end; `version` where one is written (`…v2`)."""

    start: int
    end: int
    id: str
    version: int | None = None


@dataclass(frozen=True)
class Release:
    """A version beside the name of its project. Versions of one list or range share `group`, the place of its name."""

    start: int
    end: int
    project: str
    repo: str
    version: str
    tag: str
    group: int
    ranged: bool = False

    @property
    def citation(self) -> str:
        return f"github:{self.repo}@{self.tag}"


@dataclass(frozen=True)
class Pull:
    """A pull request or issue, by link or by its project's name and number; `project` is the name it is credited to."""

    start: int
    end: int
    repo: str
    number: int

    @property
    def citation(self) -> str:
        return f"github:{self.repo}#{self.number}"


@lru_cache(maxsize=8)
def papers(text: str) -> tuple[Paper, ...]:
    """Every arXiv id, in order of place."""
    found = {m.start("id"): m for pattern in (_BARE, _MARKED) for m in pattern.finditer(text)}
    return tuple(Paper(m.start("id"), m.end(), m["id"], int(m["v"]) if m["v"] else None) for _, m in sorted(found.items()))


@lru_cache(maxsize=8)
def releases(text: str) -> tuple[Release, ...]:
    """Versions directly beside a project's name, with the lists and ranges that go on from them."""
    out: list[Release] = []
    for name, repo, scheme in _projects(text):
        found = _AFTER_NAME.match(text, name.end)
        ranged = False
        while found:
            version = found["n"]
            out.append(Release(found.start("n"), found.end("n"), name.canonical, repo, version, scheme.format(v=version), name.start, ranged))
            found = _NEXT.match(text, found.end())
            ranged = bool(found and found["sep"] in _RANGE)
    return tuple(out)


@lru_cache(maxsize=8)
def pulls(text: str) -> tuple[Pull, ...]:
    """Pull requests and issues: links, and `SGLang PR #123`."""
    found = {m.start(): Pull(m.start(), m.end(), m["repo"], int(m["n"])) for m in _PULL.finditer(text)}
    for name, repo, _ in _projects(text):
        if m := _NAMED_PULL.match(text, name.end):
            found[m.start("n")] = Pull(m.start("n"), m.end("n"), repo, int(m["n"]))
    return tuple(pull for _, pull in sorted(found.items()))


@lru_cache(maxsize=8)
def _projects(text: str) -> tuple[tuple[Name, str, str], ...]:
    return tuple(_named(text))


def _named(text: str) -> Iterator[tuple[Name, str, str]]:
    """(name, repository, tag scheme) of every project that is named with a known repository; no part of a longer name."""
    lexicon, last = load(), -1
    for name in lexicon.names(text):
        if name.start == last or name.kind not in ("engine", "project") or re.match(r"[-.][A-Za-z]|[/_]\w", text[name.end : name.end + 2]):
            continue
        entry = lexicon.entry("project", name.canonical)
        if entry.get("repo"):
            last = name.start
            yield name, entry["repo"], entry.get("tag", "v{v}")
