"""Versions and dates that something is said of: whose they are, and which of them are claims."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from verifier.extract.cast import Cast
from verifier.extract.passage import Passage
from verifier.extract.quantities import Quantity
from verifier.lexicon import Lexicon, Name
from verifier.models import Block, Bound, Number

OWNED = re.compile(r"[\s*`]{0,3}(?:版本号?\s*|version\s|[(（])?(?:>=|≥|<=?|≤|==?|~=)?\s*")
LISTED = re.compile(r"\s*(?:[/、,，]|与|和|and|→|\s·\s)\s*(?:推荐|建议|>=|<=?|≥|≤)?\s*")
SAID = re.compile(r"\s?\**(?:发布了?|推出|升级[到至]|更新[到至]|已?合入|releases?d?|version|版本|v(?=\d))?\s?")
BOUND = re.compile(r"(>=|≥|<=?|≤|~=)\s*$")
DECIMAL = re.compile(r"\d+\.\d+")
MONTHS = {m: i for i, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)}
WRITTEN = (
    re.compile(r"(?P<y>20\d\d)\s*(?:年|[-/])\s*(?P<m>\d{1,2})\s*月?(?:\s*[-/]?\s*(?P<d>\d{1,2})\s*日?)?"),
    re.compile(r"(?P<y>20\d\d)\s?-?(?P<q>[QH][1-4])(?:\s?-\s?Q?[1-4])?"),
    re.compile(r"(?P<m>\d{1,2})\s*(?:-|月)\s*(?:(?P<d>\d{1,2})\s*日?)?"),
    re.compile(r"(?P<n>[A-Za-z]{3})[a-z]*\.?\s(?P<d>\d{1,2})(?:,?\s(?P<y>20\d\d))?"),
)
EVENT = re.compile(
    r"\s?[)）]?\s?(?:[A-Z][A-Za-z]+\s)?(?:[\u4e00-\u9fff]{0,4}?(?:发布|预售|归档|实证|报告|上线|开源|退市|公告|宣布|推出|召开|举行|里程碑|停止|弃用|[初末底](?=[\s，。；）)]))"
    r"|(?:release[sd]?|announce\w*|launch\w*|report|publish\w*|deprecat\w*|archiv\w*|preview|GA)\b)",
    re.I,
)
HELD = re.compile(r"\s?(?:20\d\d)?\s?(?:[\u4e00-\u9fff]{2,4}\s|于|在|截至|\bon\b|\bin\b|\bsince\b|[(（]|：|:)?\s?", re.I)
PAPER = re.compile(r"arXiv\s$", re.I)


class Versions:
    """Reads the versions and dates of one block."""

    def __init__(self, block: Block, names: list[Name], cast: Cast, passage: Passage, lexicon: Lexicon, year: str, own: tuple[str, ...]):
        self._text, self._names, self._cast, self._passage = block.text, names, cast, passage
        self._lexicon, self._year, self._own, self._kind = lexicon, year, own, block.kind

    def read(self, found: list[Number]) -> Iterator[Quantity]:
        """Versions with an owner, listed after one that has, or of three parts; dates of named things and events."""
        previous: tuple[int, str | None, bool] | None = None
        for number in found:
            written = number.text.lstrip("v").rstrip("+")
            if number.kind == "date":
                owner = self._owner(number)
                if owner and number.text.count("-") == 2 and self._dated(owner.canonical):
                    yield self._made("version", number, number.text, owner.canonical)
                elif made := self._date(number):
                    yield made
                continue
            bare = number.kind == "quantity" and number.unit is None and DECIMAL.fullmatch(number.text) is not None
            if number.kind != "version" and not bare:
                continue
            owner = self._owner(number)
            listed = previous is not None and LISTED.fullmatch(self._text, previous[0], number.start) is not None
            plus = self._text[number.end : number.end + 1] == "+" or number.text.endswith("+")
            follows = previous is not None and previous[2] and (listed or bare and plus and number.start - previous[0] < 12)
            if owner is None and not follows and (bare or number.text.count(".") < 2 and not self._named(number)):
                continue
            if owner is None and (
                number.text.startswith(self._own) or follows and number.text.startswith("v") and number.text.count(".") < 2 and not listed
            ):
                continue
            named = owner.canonical if owner else self._named(number) if number.kind == "version" else None
            subject = named or (previous[1] if follows and previous else None)
            previous = (number.end, subject, bool(owner or follows))
            made = self._made("version", number, written, subject)
            made.bound = self._bound(number, plus)
            yield made

    def _made(self, form: str, number: Number, value: str, subject: str | None) -> Quantity:
        frame = self._passage.frame(number.start, number.end)
        made = Quantity("version" if form == "version" else "date", form, number, number, frame, value=value, subject=subject)
        made.metric = "version" if form == "version" else "release_date" if subject else None
        return made

    def _dated(self, project: str) -> bool:
        return self._lexicon.entry("project", project).get("versions") == "dates"

    def _bound(self, number: Number, plus: bool) -> Bound | None:
        sign = BOUND.search(self._text, max(0, number.start - 5), number.start)
        if sign:
            return "min" if sign[1] in (">=", "≥", "~=") else "max"
        return "min" if plus else None

    def _owner(self, number: Number) -> Name | None:
        """The project right before a version, past `>=`, `v` or 版本."""
        at = bisect_left(self._names, number.start, key=lambda n: n.start)
        for name in reversed(self._names[max(0, at - 4) : at]):
            if name.kind in ("project", "engine") and OWNED.fullmatch(self._text, name.end, number.start):
                return name
        return None

    def _named(self, number: Number) -> str | None:
        """A name that no lexicon knows, right before a version."""
        near = self._cast.near(number.start - 12, number.start) if "." in number.text else []
        near = [c for c in near if SAID.fullmatch(self._text, c.end, number.start)]
        return near[-1].text if near and not near[-1].weak and not number.text.startswith(self._own) else None

    def _date(self, number: Number) -> Quantity | None:
        """A date that a name stands right before, or an event right behind."""
        value = iso(number.text, self._year)
        if value is None or self._kind == "heading":
            return None
        near = self._cast.near(number.start - 16, number.start)
        held = [c for c in near if HELD.fullmatch(self._text, c.end, number.start)]
        paper = PAPER.search(self._text, max(0, number.start - 8), number.start)
        if not held and not paper and not EVENT.match(self._text, number.end):
            return None
        frame = self._passage.frame(number.start, number.end)
        before = self._cast.before(frame.sentence, number.start, frame.opener, weak=False)
        subject = held[-1].text if held else before[-1].text if before else None
        made = self._made("date", number, value, subject)
        made.metric = "publication_date" if paper else made.metric
        return made


def iso(written: str, year: str) -> str | None:
    """`2026年3月` -> 2026-03, `9-21` -> the document's year; None for a bare year."""
    for pattern in WRITTEN:
        if found := pattern.fullmatch(written.strip()):
            part = found.groupdict()
            if part.get("q"):
                return f"{part['y']}-{part['q']}"
            month = MONTHS.get((part.get("n") or "").lower()) or int(part.get("m") or 0)
            if not 1 <= month <= 12 or not (part.get("y") or year):
                return None
            day = part.get("d")
            return f"{part.get('y') or year}-{month:02d}" + (f"-{int(day):02d}" if day else "")
    return None
