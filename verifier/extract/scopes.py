"""Scopes of conditions, nearest first: what holds for a number, and what belongs to something else.

A scope is a list of parts, each a list of mentions. A part that names another accelerator, model or engine than a nearer
scope did is about that other thing: nothing is taken from it. A scope that gives several values for one name gives none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from verifier.extract.statements import Mention
from verifier.models import Condition, Origin

Subjects = tuple[tuple[str, str], ...]
SUBJECTS = ("accelerator", "model", "engine")
PART = re.compile(
    r"[；;。！？，、|\n：]|[,.!?:](?=\s|$)|(?<=\s)[/+·](?=\s)|——|—|[（()）](?!\d)|(?=[①-⑳而但wbh])(?:(?=[①-⑳但])|(?=而(?!且|言))|(?=\b(?:whereas|while|but|however)\b))"
)
SENTENCE = re.compile(r"[。；;！？\n①-⑳]|[.!?](?=\s|$)|\s·\s")
ITEM = re.compile(r"[①-⑳]")
CONTRAST = re.compile(r"而|但|whereas|while|but|however")
AGAINST = re.compile(
    r"[voatcr相对优超比](?:(?<=\bv)(?:\.?s\b\.?|ersus)|(?<=v)ersus|(?<=\bo)ver\b|(?<=\ba)gainst\b|(?<=\bt)han\b|(?<=c)ompared (?:to|with)|(?<=r)elative to"
    r"|(?<=相)较?于?|(?<=对)比|(?<=优)于|(?<=超)过|(?<=比)(?<![占百对性].)(?![例率如较]))"
)
BESIDE = re.compile(r"与[^，。；,;\n]{1,40}?相比|compared (?:to|with) [^,;.]{1,60}(?=,)", re.I)
RELEASE = re.compile(r"\s(?:for|at|with|under|when|using)\s|[在下上快慢高低]")
ON = re.compile(r"\son\s")
FACTOR = re.compile(r"[x×] ")


class Part(NamedTuple):
    """What a part offers; it also speaks of the `about`, but does not offer them."""

    mentions: tuple[Mention, ...]
    about: tuple[Mention, ...] = ()


class Scope(NamedTuple):
    origin: Origin
    line: int
    parts: tuple[Part, ...]


def split(text: str) -> list[tuple[int, int]]:
    """The parts of a text: clauses, members of lists, and what stands behind a contrast."""
    cuts = [0, *sorted({m.end() for m in PART.finditer(text)}), len(text)]
    return [(a, b) for a, b in zip(cuts, cuts[1:], strict=False) if a < b]


def stated(text: str, mentions: list[Mention]) -> list[Mention]:
    """Without those that only say what something is compared with."""
    if not mentions:
        return mentions
    starts = [m.start for m in mentions]
    compared: set[int] = set()
    for start, end in (*(_compared(text, m.end(), mentions, starts) for m in AGAINST.finditer(text)), *(m.span() for m in BESIDE.finditer(text))):
        compared.update(range(bisect_left(starts, start), bisect_left(starts, end)))
    return [
        m
        for i, m in enumerate(mentions)
        if (i not in compared or m.name == "accelerator_interconnect")
        and not (m.name in SUBJECTS and FACTOR.match(text, max(0, m.start - 2), m.start) and not _counted(m, mentions[i - 1] if i else None))
    ]


def _counted(part: Mention, before: Mention | None) -> bool:
    """Whether the factor is a number of parts: `4x H100`."""
    return before is not None and before.name == "accelerator_count" and before.end == part.start


def _compared(text: str, start: int, mentions: list[Mention], starts: list[int]) -> tuple[int, int]:
    """What `than`, `vs` or 比 governs: to the end of its part, or to the word that returns to the subject (`than vLLM on H200`)."""
    end = PART.search(text, start + 1)
    stop = end.start() if end else len(text)
    first = bisect_left(starts, start)
    other = mentions[first].end if first < len(starts) and starts[first] < stop else stop
    backs = [found.start() for found in (RELEASE.search(text, start + 2, stop), ON.search(text, other, stop)) if found]
    return start, min(backs, default=stop)


def grouped(spans: list[tuple[int, int]], mentions: list[Mention]) -> list[list[Mention]]:
    """The mentions of each part."""
    starts = [a for a, _ in spans]
    parts: list[list[Mention]] = [[] for _ in spans]
    for mention in mentions:
        parts[bisect_right(starts, mention.start) - 1].append(mention)
    return parts


def scope(origin: Origin, line: int, text: str, mentions: list[Mention]) -> Scope | None:
    """A whole text as one scope; `mentions` as stated."""
    if not mentions:
        return None
    return Scope(origin, line, tuple(Part(tuple(p)) for p in grouped(split(text), mentions) if p))


class Spread:
    """A block's mentions, as stated, by clause; made once for all figures in it."""

    def __init__(self, origin: Origin, line: int, text: str, mentions: list[Mention]):
        self.origin, self.line = origin, line
        self._spans = split(text) if mentions else []
        self._starts = [a for a, _ in self._spans]
        self._parts = grouped(self._spans, mentions)
        self._contrast = [CONTRAST.match(text, a) is not None for a in self._starts]
        stops = list(SENTENCE.finditer(text)) if mentions else []
        self._ends, self._stops = [m.end() for m in stops], [m.start() for m in stops]
        self._items = [m.start() for m in ITEM.finditer(text)]
        self._size = len(text)
        self._known: dict[tuple[object, ...], list[Voice]] = {}

    def around(self, start: int, end: int) -> list[Voice]:
        """The scopes around text[start:end]: its clause, its sentence outwards, the rest of the block or of its item (① ②) in it.

        Figures with the same words around them share one answer.
        """
        if not self._spans:
            return []
        here = bisect_right(self._starts, start) - 1
        own = [m for m in self._parts[here] if not (start <= m.start < end or start < m.end <= end)]
        own = [*(m for m in reversed(own) if m.start >= end), *(m for m in own if m.start < start)]
        cut, after, item = bisect_right(self._ends, start), bisect_left(self._stops, end), bisect_right(self._items, start)
        key = (here, cut, after, item, *own)
        if key not in self._known:
            self._known[key] = [Voice(s) for s in self._around(here, cut, after, item, own)]
        return self._known[key]

    def _around(self, here: int, cut: int, after: int, item: int, own: list[Mention]) -> list[Scope]:
        """`here` is the part, `cut` and `after` count the sentences up to it, `item` the items; `own` is said in it beside the figure."""
        last = self._ends[cut - 1] if cut else 0
        close = self._stops[after] if after < len(self._stops) else self._size
        found: list[Scope] = []

        def add(mentions: Iterable[Mention]) -> None:
            if nearest := {m.name: m for m in mentions}:
                found.append(Scope("clause", self.line, (Part(tuple(nearest.values())),)))

        add(own)
        first = here
        while first > 0 and self._spans[first - 1][1] > last and not (self._contrast[first] and self._names(first)):
            first -= 1
            add(self._parts[first])
        following = here + 1
        while following < len(self._spans) and self._starts[following] < close and not (self._contrast[following] and self._names(following)):
            add(reversed(self._parts[following]))
            following += 1
        low = self._items[item - 1] if item else 0
        high = self._items[item] if item < len(self._items) else self._size
        rest = [
            p for a, (_, b), p in zip(self._starts, self._spans, self._parts, strict=True) if p and low <= a < high and not (b > last and a < close)
        ]
        found.append(Scope(self.origin, self.line, tuple(Part(tuple(p)) for p in rest)))
        return found

    def _names(self, index: int) -> bool:
        return any(m.name in SUBJECTS for m in self._parts[index])


@lru_cache(maxsize=4096)
def alike(one: str, other: str) -> bool:
    """Whether two names may mean one thing: `Llama` and `Llama-3.1-70B`, `vLLM` and `vLLM/SGLang`."""
    a, b = (re.sub(r"[\W_]+", "", n.lower()) for n in (one, other))
    return a.startswith(b) or b.startswith(a) or not {*one.lower().split("/")}.isdisjoint(other.lower().split("/"))


@lru_cache(maxsize=4096)
def condition(value: str, origin: Origin, line: int) -> Condition:
    """One object for all figures under one condition."""
    return Condition(value=value, origin=origin, line=line)


class Voice:
    """Scopes that count as one: what they say differently is not said. Remembers what it offers to whom."""

    def __init__(self, *scopes: Scope):
        self.scopes = scopes
        self._offers: dict[Subjects, dict[str, Condition]] = {}

    def offer(self, subjects: Subjects) -> dict[str, Condition]:
        """The conditions for a figure about these subjects."""
        if subjects not in self._offers:
            self._offers[subjects] = self._for(subjects)
        return self._offers[subjects]

    def _for(self, subjects: Subjects) -> dict[str, Condition]:
        values: dict[str, dict[str, Scope]] = {}
        for made in self.scopes:
            if subjects and _elsewhere(made, subjects):
                continue
            for part in made.parts:
                if not any(m.name == name and not alike(m.value, value) for name, value in subjects for m in (*part.mentions, *part.about)):
                    for mention in part.mentions:
                        values.setdefault(mention.name, {}).setdefault(mention.value, made)
        chosen = {name: (_one(name, list(given)), given) for name, given in values.items()}
        sources = {name: (value, given.get(value) or next(iter(given.values()))) for name, (value, given) in chosen.items() if value}
        return {name: condition(value, source.origin, source.line) for name, (value, source) in sources.items()}


def resolve(voices: Iterable[Voice]) -> dict[str, Condition]:
    """The conditions in force: each from the nearest scope that gives one value of it."""
    found: dict[str, Condition] = {}
    subjects: Subjects = ()
    for voice in voices:
        offered = voice.offer(subjects)
        if new := {name: condition for name, condition in offered.items() if name not in found}:
            found |= new
            subjects = tuple((n, found[n].value) for n in SUBJECTS if n in found)
    return found


def _elsewhere(made: Scope, subjects: Subjects) -> bool:
    """The scope as a whole is about another accelerator, model or engine."""
    for name, value in subjects:
        named = [m.value for p in made.parts for m in (*p.mentions, *p.about) if m.name == name]
        if named and not any(alike(value, n) for n in named):
            return True
    return False


def _one(name: str, values: list[str]) -> str | None:
    """The value that a scope gives; the fullest of several that may mean one thing; None for unlike ones."""
    if len(values) == 1:
        return values[0]
    if name == "workload" and len(values) <= 3:
        return ", ".join(v for v in values if not any(v != w and v in w for w in values))
    fullest = max(values, key=len)
    return fullest if name == "model" and all(fullest.lower().startswith(v.lower()) for v in values) else None
