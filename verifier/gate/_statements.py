"""A claim with the words it stands in: what a reader sees, whatever the lines, marks and numbering."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from verifier.extract import numbers
from verifier.models import Block, Bound, Claim, Document
from verifier.normalize import interval

OWN = ("clause", "row", "column", "bullet", "block", "caption", "command")  # conditions that the words themselves state
UNKNOWN = "?"  # the unit of a number that extraction could not read

AT_MOST = re.compile(r"(?:最高|最多|可达|高达|至多|up to|at most|as much as)[^\d，,；;。、()（）]{0,14}$", re.I)
AT_LEAST = re.compile(r"(?:至少|最低|不低于|超过|at least|no less than|more than)[^\d，,；;。、()（）]{0,14}$", re.I)
ASIDE = re.compile(r"[（(][^（）()]*[）)]")
TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+-][A-Za-z0-9]+)*|\d[\d.,]*")
MARKUP = re.compile(r"[*_`#>|\s]+")
LEAD = re.compile(r"\A\s*(?:#{1,6}\s|[•*+–-]\s|\d{1,3}(?:[.)]\s|、)|[①-⑳])+\s*")
COMMENT = re.compile(r"<!--.*?-->", re.S)
RUNS_ON = ("paragraph", "bullet")
ENDED = re.compile(r"[。.！!？?；;：:]\s*$")
CITED = re.compile(r"https?://\S+|[（(](?=[^（）()]*(?:增量|§|arxiv|https?:|待核|inbox|\d{1,2}-\d{1,2}))[^（）()]*[）)]", re.I)


def plain(text: str) -> str:
    """Text without what layout adds: width, case, markup, spaces, list markers, thousands separators, comments."""
    text = unicodedata.normalize("NFKC", COMMENT.sub("", LEAD.sub("", text, count=1)))
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return MARKUP.sub("", text).casefold().rstrip("。.;；,，、")


@dataclass(frozen=True)
class Statement:
    """A claim and the bullet, paragraph or row that holds it; `text` is empty where its words are lost."""

    claim: Claim
    text: str
    first: int = 1
    last: int = 1

    @cached_property
    def words(self) -> str:
        return plain(self.text)

    @cached_property
    def number(self) -> str:
        """The number as printed, layout apart: `16,200 tok/s` is `16200tok/s`, `16.2k tok/s` is another print."""
        return plain(self.claim.text)

    @cached_property
    def pairs(self) -> frozenset[str]:
        return pairs(self.text)

    @cached_property
    def folded(self) -> str:
        return self.text.casefold()

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The names and numbers that it holds beside its own."""
        return _tokens(self.text.replace(self.claim.text, " "))

    @cached_property
    def telling(self) -> frozenset[str]:
        """Those of them that stand outside brackets."""
        return _tokens(ASIDE.sub("", self.text.replace(self.claim.text, " ")))

    @cached_property
    def printed(self) -> tuple[tuple[float, float, float], ...]:
        """Each printed number, unsigned, with the lowest and highest that its rounding allows; none for a version or a date."""
        claim = self.claim
        if isinstance(claim.numbers[0], str):
            return ()
        spans = [(min(abs(i.low), abs(i.high)), max(abs(i.low), abs(i.high))) for i in claim.interval]
        numbers = [abs(float(n)) for n in claim.numbers]
        return tuple((n, *span) for n, span in zip(numbers, spans if len(spans) == len(numbers) else [(n, n) for n in numbers], strict=True))

    @cached_property
    def own(self) -> dict[str, str]:
        """The conditions that its own words state; a version or a date holds whatever was tested with it, a day is no condition."""
        claim = self.claim
        if claim.form in ("version", "date"):
            return {}
        stated = {name: c for name, c in claim.conditions.items() if name not in ("as_of", "workload")}
        return {name: c.value for name, c in stated.items() if c.origin in OWN or c.origin == "paragraph" and c.line == claim.line}

    @cached_property
    def bound(self) -> Bound | None:
        """The bound of the number, also where a verb stands between: 最高提升 70%."""
        if self.claim.bound:
            return self.claim.bound
        before = self.text[: max(self.text.find(self.claim.text), 0)]
        return "max" if AT_MOST.search(before) else "min" if AT_LEAST.search(before) else None

    def alike(self, other: Statement) -> float:
        return alike(self.pairs, other.pairs)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(t.casefold() for t in TOKEN.findall(text))


def pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring letters that tell what a text is about; numbers and citations apart."""
    letters = re.sub(r"[^\w]|\d", "", plain(CITED.sub("", text)))
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1))


def alike(a: frozenset[str], b: frozenset[str]) -> float:
    """How much two texts share: 1 where they are one text, about 0.75 where a short one stands whole in a long one."""
    shared, least = len(a & b), min(len(a), len(b))
    return (shared / least + 2 * shared / (len(a) + len(b))) / 2 if least else 0.0


def marks(text: str, series: str) -> tuple[str, ...]:
    """The record numbers that a text names, ranges written out: `D188-D190` names three; `D~3f9a` is provisional."""
    found: list[str] = []
    for mark in re.finditer(rf"(?<![A-Za-z\d]){series}(~[0-9a-f]{{3,8}}|\d{{1,5}})(?:\s*[-–~—]\s*{series}?(\d{{1,5}}))?(?![A-Za-z\d]|\.\d)", text):
        first, last = mark.groups()
        span = range(int(first), min(int(last), int(first) + 200) + 1) if last and first.isdigit() else [first]
        found += [f"{series}{n}" for n in span]
    return tuple(dict.fromkeys(found))


def stretches(document: Document) -> Iterator[tuple[int, int, str]]:
    """(first line, last line, text) of what hangs together; lines that a paragraph or bullet was wrapped into are joined."""
    held: list[Block] = []
    for block in document.blocks:
        joins = (
            held
            and block.kind == "paragraph"
            and held[-1].kind in RUNS_ON
            and block.line == held[-1].end_line + 1
            and not ENDED.search(held[-1].text)
        )
        if held and not joins:
            yield held[0].line, held[-1].end_line, "\n".join(b.text for b in held)
            held = []
        held.append(block)
    if held:
        yield held[0].line, held[-1].end_line, "\n".join(b.text for b in held)


def unread(document: Document, claims: Sequence[Claim]) -> list[Claim]:
    """Telling numbers that no claim covers, as claims of unknown unit: what extraction leaves out must not pass unseen."""
    covered = sorted((c.start, c.end) for c in claims)
    found = []
    for block in document.blocks:
        if block.kind not in ("paragraph", "bullet", "row"):
            continue
        for n in numbers(block.text):
            digits = re.match(r"\d[\d,]*(?:\.\d+)?", n.text)
            if n.kind != "quantity" or n.unit or not n.value or not digits or not ("." in digits[0] or len(digits[0]) > 2):
                continue
            start, end = block.start + n.start, block.start + n.end
            at = bisect(covered, (end, 0))
            if at and covered[at - 1][1] > start:
                continue
            scale = n.value / float(digits[0].replace(",", ""))
            found.append(Claim(id=f"{document.path}:{start}", document=document.path, line=block.line, end_line=block.end_line, column=n.start + 1,
                               start=start, end=end, text=n.text, form="value", value=n.value, interval=(interval(digits[0], scale),), unit=UNKNOWN))  # fmt: skip
    return found


def statements(document: Document, claims: Sequence[Claim]) -> list[Statement]:
    """Every claim that is about the world, and every telling number that is none, with its stretch, in order of place."""
    spans = list(stretches(document))
    found = []
    index = 0
    for claim in sorted([*claims, *unread(document, claims)], key=lambda c: c.start):
        while index < len(spans) - 1 and spans[index][1] < claim.line:
            index += 1
        if claim.scope == "world" and spans:
            first, last, text = spans[index]
            found.append(Statement(claim, text, first, last))
    return found
