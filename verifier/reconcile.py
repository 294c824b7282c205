"""Set closure: which arXiv ids and URLs a briefing, the claim store, the ledger and a living document each hold, and
whether what the documents state about these sets is right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from verifier.models import Claim, Document
from verifier.read import ARXIV

Kind = Literal["arxiv", "url"]
KINDS: tuple[Kind, ...] = ("arxiv", "url")
URL = re.compile(r"https?://[^\s<>\"'`|（）【】《》，。；、！？\\]+")
# `arXiv 225 → 228`, `URL 282 → 290`; or one number where it says that the sets are closed
STATED = re.compile(
    r"(?P<kind>arXiv|URL|链接)(?:\s*(?:ids?|编号|号|数|总数|累计|去重))*\s*[:：]?\s*"
    r"(?:(?P<before>\d+)\s*(?:→|->|⇒|⟶|到|至)\s*)?(?P<after>\d+)(?![\d.]|\s*(?:→|->|⇒|⟶))",
    re.I,
)
CLOSED = re.compile(r"闭合|closed|合计|总计|in all|→|->|⇒|⟶", re.I)
WHEN = re.compile(r"20\d\d-\d\d-\d\d")
HEAD_NUMBER = re.compile(r"§\s*([\dIVX]+(?:\.(?:\(\d+\)|\d+))*)")


def addresses(text: str) -> list[tuple[int, str]]:
    """(place, URL) of each link; closing punctuation is no part of one, a bracket only if it was opened in it."""
    found = []
    for mark in URL.finditer(text):
        url = mark[0].rstrip(".,;:!?*_")
        while url.endswith((")", "]")) and url.count(url[-1]) > url.count({")": "(", "]": "["}[url[-1]]):
            url = url[:-1].rstrip(".,;:!?*_")
        found.append((mark.start(), url))
    return found


@dataclass(frozen=True)
class Held:
    """The distinct arXiv ids and URLs of a text, each with the lines it stands on."""

    arxiv: Mapping[str, tuple[int, ...]]
    url: Mapping[str, tuple[int, ...]]

    def of(self, kind: Kind) -> Mapping[str, tuple[int, ...]]:
        return self.arxiv if kind == "arxiv" else self.url


def held(text: str) -> Held:
    """An arXiv address counts as its paper; versions of one paper are one."""
    papers: dict[str, list[int]] = {}
    links: dict[str, list[int]] = {}
    for mark in ARXIV.finditer(text):
        papers.setdefault(mark[1], []).append(_line(text, mark.start()))
    for place, url in addresses(text):
        if not re.match(r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/", url):
            links.setdefault(url, []).append(_line(text, place))
    return Held(_sorted(papers), _sorted(links))


def _sorted(found: Mapping[str, list[int]]) -> dict[str, tuple[int, ...]]:
    return {key: tuple(dict.fromkeys(found[key])) for key in sorted(found)}


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def stored(root: Path) -> Held:
    """What the claim store of a root cites, with the lines of the documents that cite it."""
    papers: dict[str, list[int]] = {}
    links: dict[str, list[int]] = {}
    for path in sorted((root / "claims" / "extracted").rglob("*.jsonl")):
        for row in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                claim = json.loads(row)
            except ValueError:
                continue
            for source in claim.get("sources", ()):
                into = papers if source.get("kind") == "arxiv" else links if source.get("kind") == "url" else None
                if into is not None:
                    into.setdefault(str(source["id"]), []).append(int(claim.get("line", 0)))
    return Held(_sorted(papers), _sorted(links))


@dataclass(frozen=True)
class Stated:
    """A count that a document states: `arXiv 225 → 228`. `said` is the day that its line names."""

    kind: Kind
    line: int
    text: str
    before: int | None
    after: int
    said: str = ""


def stated(text: str) -> list[Stated]:
    """The counts that a text states about its own sets, in order of place."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if CLOSED.search(line):
            day = WHEN.search(line)
            for mark in STATED.finditer(line):
                kind: Kind = "arxiv" if mark["kind"].lower() == "arxiv" else "url"
                before = int(mark["before"]) if mark["before"] else None
                found.append(Stated(kind, number, mark[0], before, int(mark["after"]), day[0] if day else ""))
    return found


def newest(counts: Sequence[Stated]) -> list[Stated]:
    """What is stated last, by its day and then by its place, for each kind: older lines tell of older days."""
    last = {kind: max((s.said for s in counts if s.kind == kind), default="") for kind in KINDS}
    lines = {kind: max((s.line for s in counts if s.kind == kind and s.said == last[kind]), default=0) for kind in KINDS}
    return [s for s in counts if s.line == lines[s.kind]]


@dataclass(frozen=True)
class Count:
    """A stated count against what there is; `was` is what the earlier version held, where that is known."""

    stated: Stated
    is_: int
    was: int | None = None

    @property
    def right(self) -> bool:
        started = self.stated.before is None or self.was is None or self.stated.before == self.was
        return self.stated.after == self.is_ and started


def counted(counts: Iterable[Stated], now: Held, before: Held | None = None) -> list[Count]:
    return [Count(s, len(now.of(s.kind)), len(before.of(s.kind)) if before else None) for s in counts]


@dataclass(frozen=True)
class Sets:
    """One kind's sets: `new` stands there since the earlier version, `missing` is in a briefing but not there,
    `orphaned` is there and in nothing earlier, `doubled` stands on several lines."""

    kind: Kind
    before: tuple[str, ...]
    after: tuple[str, ...]
    briefing: tuple[str, ...]
    store: tuple[str, ...]
    ledger: tuple[str, ...]
    new: tuple[str, ...]
    known: tuple[str, ...]
    missing: tuple[str, ...]
    gone: tuple[str, ...]
    orphaned: tuple[str, ...]
    doubled: Mapping[str, tuple[int, ...]]


def closure(kind: Kind, living: Held, before: Held | None, briefings: Sequence[Held], store: Held, ledger: Held) -> Sets:
    """Compare the sets; without an earlier version everything that a briefing or the store does not hold is orphaned."""
    now, old = set(living.of(kind)), set(before.of(kind)) if before else set()
    told = {key for b in briefings for key in b.of(kind)}
    kept, recorded = set(store.of(kind)), set(ledger.of(kind))
    sets = {
        "before": old, "after": now, "briefing": told, "store": kept, "ledger": recorded, "new": now - old, "known": now & old,
        "missing": told - now, "gone": old - now, "orphaned": now - old - told - kept,
    }  # fmt: skip
    doubled = {key: lines for key, lines in living.of(kind).items() if len(lines) > 1}
    return Sets(kind=kind, doubled=doubled, **{name: tuple(sorted(keys)) for name, keys in sets.items()})


@dataclass(frozen=True)
class Placed:
    """Where a claim was asked to go against where it stands; `stands` is None where it was not anchored."""

    claim: Claim
    asked: str
    stands: str | None
    line: int | None
    right: bool


def placed(briefing: Document, claims: Sequence[Claim], living: Document, anchored: Callable[[Claim], Claim | None]) -> list[Placed]:
    """Each claim of an increment that asks for a section (建议归入章节), with where the living document has it."""
    asks = [i for i in briefing.structure.increments if i.anchor_to]
    starts = sorted([i.line for i in briefing.structure.increments] + [b.line for b in briefing.blocks if b.kind == "heading"])
    sections = {b.line: b.section for b in living.blocks}
    found = []
    for increment in asks:
        end = next((line for line in starts if line > increment.line and line > increment.end_line), 10**9)
        for claim in claims:
            if increment.line < claim.line < end and claim.scope == "world":
                here = anchored(claim)
                section = sections.get(here.line, ()) if here else ()
                asked = increment.anchor_to or ""
                found.append(Placed(claim, asked, " / ".join(section) or None, here.line if here else None, here is None or _within(asked, section)))
    return found


def _within(asked: str, section: Sequence[str]) -> bool:
    """Whether one of the sections asked for is among the headings above."""
    for part in re.split(r"\s*[+＋;；、]\s*|\s+与\s+|\s+和\s+", asked):
        number = HEAD_NUMBER.search(part)
        if number and any((found := HEAD_NUMBER.search(head)) and found[1].rstrip(".") == number[1].rstrip(".") for head in section):
            return True
        words = re.sub(r"\s+", "", HEAD_NUMBER.sub("", part))
        if not number and words and any(words in re.sub(r"\s+", "", head) for head in section):
            return True
    return False
