"""Scopes of conditions, nearest first: what holds for a number, and what belongs to something else.

A scope is a list of parts, each a list of mentions. A part that names another accelerator, model or engine than a nearer
scope did is about that other thing: nothing is taken from it. A scope that gives several values for one name gives none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from verifier.extract.statements import Mention
from verifier.models import Condition, Origin

SUBJECTS = ("accelerator", "model", "engine")
PART = re.compile(
    r"[；;。！？，、|\n]|[,.!?:](?=\s|$)|：|(?<=\s)[/+·](?=\s)|——|—|[（()）](?!\d)|(?=[①-⑳])|(?=而(?!且|言))|(?=\b(?:whereas|while|but|however)\b)|(?=但)"
)
SENTENCE = re.compile(r"[。；;！？\n①-⑳]|[.!?](?=\s|$)|\s·\s")
CONTRAST = re.compile(r"而|但|whereas|while|but|however")
AGAINST = re.compile(
    r"\bv\.?s\b\.?|versus|\bover\b|\bagainst\b|\bthan\b|compared (?:to|with)|relative to|相较?于?|对比|优于|超过|(?<![占百对性])比(?![例率如较])"
)
BESIDE = re.compile(r"与[^，。；,;\n]{1,40}?相比|compared (?:to|with) [^,;.]{1,60}(?=,)", re.I)
RELEASE = re.compile(r"\s(?:for|at|with|under|when|using)\s|[在下上快慢高低]")
ON = re.compile(r"\son\s")
FACTOR = re.compile(r"[x×] $")


class Part(NamedTuple):
    mentions: tuple[Mention, ...]


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
    against = [_compared(text, m.end(), mentions) for m in AGAINST.finditer(text)] + [m.span() for m in BESIDE.finditer(text)]
    if not against and "x " not in text and "× " not in text:
        return mentions
    return [
        m
        for m in mentions
        if (m.name == "accelerator_interconnect" or not any(a <= m.start < b for a, b in against))
        and not (m.name in SUBJECTS and FACTOR.search(text[max(0, m.start - 2) : m.start]))
    ]


def _compared(text: str, start: int, mentions: list[Mention]) -> tuple[int, int]:
    """What `than`, `vs` or 比 governs: to the end of its part, or to the word that returns to the subject (`than vLLM on H200`)."""
    end = PART.search(text, start + 1)
    stop = end.start() if end else len(text)
    other = next((m.end for m in mentions if start <= m.start < stop), stop)
    backs = [found.start() for found in (RELEASE.search(text, start + 2, stop), ON.search(text, other, stop)) if found]
    return start, min(backs, default=stop)


def scope(origin: Origin, line: int, text: str, mentions: list[Mention]) -> Scope | None:
    """A whole text as one scope."""
    kept = stated(text, mentions)
    if not kept:
        return None
    parts = [Part(tuple(m for m in kept if a <= m.start < b)) for a, b in split(text)]
    return Scope(origin, line, tuple(p for p in parts if p.mentions))


def around(origin: Origin, line: int, text: str, mentions: list[Mention], start: int, end: int) -> list[Scope]:
    """The scopes inside a block around text[start:end]: its clause, the rest of its sentence outwards, the rest of the block."""
    kept = [m for m in stated(text, mentions) if not (start <= m.start < end or start < m.end <= end)]
    if not kept:
        return []
    spans = split(text)
    here = next((i for i, (a, b) in enumerate(spans) if a <= start < b), 0)
    last = max((m.end() for m in SENTENCE.finditer(text, 0, start)), default=0)
    stop = SENTENCE.search(text, end)
    close = stop.start() if stop else len(text)

    def part(index: int) -> list[Mention]:
        a, b = spans[index]
        return [m for m in kept if a <= m.start < b]

    own = part(here)
    nearest = {m.name: m for m in reversed(own) if m.start >= end} | {m.name: m for m in own if m.start < start}
    found = [Scope("clause", line, (Part(tuple(nearest.values())),))] if nearest else []
    subject = any(m.name in SUBJECTS for m in own)
    blocked = subject and CONTRAST.match(text, spans[here][0]) is not None
    index = here - 1
    while index >= 0 and spans[index][1] > last and not blocked:
        if before := part(index):
            found.append(Scope("clause", line, (Part(tuple({m.name: m for m in before}.values())),)))
            blocked = any(m.name in SUBJECTS for m in before) and CONTRAST.match(text, spans[index][0]) is not None
        index -= 1
    for index in range(here + 1, len(spans)):
        if spans[index][0] >= close or (CONTRAST.match(text, spans[index][0]) and any(m.name in SUBJECTS for m in part(index))):
            break
        if after := part(index):
            found.append(Scope("clause", line, (Part(tuple({m.name: m for m in reversed(after)}.values())),)))
    if "①" not in text:
        rest = [Part(tuple(part(i))) for i, (a, b) in enumerate(spans) if not (b > last and a < close)]
        found.append(Scope(origin, line, tuple(p for p in rest if p.mentions)))
    return found


def alike(one: str, other: str) -> bool:
    """Whether two names may mean one thing: `Llama` and `Llama-3.1-70B`, `vLLM` and `vLLM/SGLang`."""
    a, b = (re.sub(r"[\W_]+", "", n.lower()) for n in (one, other))
    return a.startswith(b) or b.startswith(a) or bool({*one.lower().split("/")} & {*other.lower().split("/")})


def unlike(part: Part, subjects: dict[str, str]) -> bool:
    """The part names another accelerator, model or engine."""
    return any(m.name in subjects and not alike(m.value, subjects[m.name]) for m in part.mentions)


def resolve(scopes: Iterable[Scope | tuple[Scope, ...]]) -> dict[str, Condition]:
    """The conditions in force: each from the nearest scope that gives one value of it. A tuple of scopes speaks with one voice."""
    found: dict[str, Condition] = {}
    for each in scopes:
        subjects = {n: found[n].value for n in SUBJECTS if n in found}
        values: dict[str, dict[str, Scope]] = {}
        for made in each if isinstance(each[0], Scope) else (each,):
            if subjects and _elsewhere(made, subjects):
                continue
            for part in made.parts:
                if not (subjects and unlike(part, subjects)):
                    for mention in part.mentions:
                        if mention.name not in found:
                            values.setdefault(mention.name, {}).setdefault(mention.value, made)
        for name, given in values.items():
            if value := _one(name, list(given)):
                source = given.get(value) or next(iter(given.values()))
                found[name] = Condition(value=value, origin=source.origin, line=source.line)
    return found


def _elsewhere(made: Scope, subjects: dict[str, str]) -> bool:
    """The scope as a whole is about another accelerator, model or engine."""
    for name, value in subjects.items():
        named = [m.value for p in made.parts for m in p.mentions if m.name == name]
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
