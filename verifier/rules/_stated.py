"""What a text says of the papers and releases that it names: when they came out, what they are called, who wrote them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import NamedTuple

from verifier.extract.mentions import Paper, Release, papers, releases
from verifier.models import Document, Increment
from verifier.normalize.dates import Stated, dates

_OPEN = re.compile(r"\s?(?:GA|stable|正式版|稳定版|时期|版本?|release)?\s?[（(]\s?(?:(?:stable|released?|发布于?|约|~)\s?)?", re.I)
_SAID = re.compile(r"\s?(?:是|为|was|were|已|即)?\s?(?:released|published|out|发布|推出)?\s?(?:on|in|于|在|是|为)\s?", re.I)
_OUT = re.compile(r"\s?(?:released|published|submitted|发布|推出|提交|时段|旧论文|论文|preprint|版本)", re.I)
_USED = re.compile(r"验证|测试|实测|评测|压测|部署|使用|tested|used|validated|measured|deployed|in production", re.I)
_LABEL = re.compile(r"arxiv\s?", re.I)
_DESCRIPTION = re.compile(r"\s?[A-Za-z0-9一-鿿 /.·-]{0,24}?[（(]\s?")
REACH = 60  # characters after a name within which its date stands


class Dated(NamedTuple):
    """A statement that some versions of one project came out, or were in use, on a date."""

    named: tuple[Release, ...]
    when: Stated
    used: bool


class Said(NamedTuple):
    """What is said of a paper, in words at start..end."""

    paper: Paper
    start: int
    end: int
    text: str


def dated_releases(text: str, today: date) -> Iterator[Dated]:
    """`vLLM 0.10.2（2026-04 时期）`, `v0.11-v0.12 时期（2025 Q2-Q3）`, `SGLang 0.4.3 was released in mid-2025`."""
    for _, members in groupby(releases(text), key=lambda r: r.group):
        group = tuple(members)
        when = _following(text, group[-1].end, today)
        if when is None:
            continue
        tail = text[when.end : when.end + 16].split("）")[0].split(")")[0]
        yield Dated(group, when, bool(_USED.search(tail)))


def _following(text: str, place: int, today: date) -> Stated | None:
    """The date that stands in brackets after a name, or in `… is of DATE`, `… was released in DATE`."""
    if bracket := _OPEN.match(text, place):
        found = next(dates(text, today, bracket.end(), bracket.end() + REACH), None)
        if found and found.start == bracket.end():
            return found
    if said := _SAID.match(text, place):
        found = next(dates(text, today, said.end(), said.end() + REACH), None)
        verb = re.search(r"released|published|out|发布|推出", said.group(), re.I)
        if found and found.start == said.end() and (verb or _OUT.match(text, found.end)):
            return found
    return None


def dated_papers(document: Document, today: date) -> Iterator[tuple[Paper, Stated]]:
    """`arXiv:2607.09172（2026-04）`, `arXiv 2601.19139 … 是 2026-01 旧论文`; in an increment with one paper also `arXiv 2026-07`."""
    text = document.text
    starts_of = [p.start for p in papers(text)]
    for paper in papers(text):
        when = _following(text, paper.end, today)
        described = _DESCRIPTION.match(text, paper.end)
        if when is None and described and bisect_left(starts_of, described.end()) == bisect_left(starts_of, paper.end):
            found = next(dates(text, today, described.end(), described.end() + REACH), None)
            alone = found and text[found.end : found.end + 1] in ("）", ")")
            when = found if found and alone and found.start == described.end() and not releases(described.group()) else None
        if when:
            yield paper, when
    starts = _line_starts(text)
    for increment in document.structure.increments:
        if len(set(increment.arxiv)) == 1:
            yield from _labelled(text, increment, starts, today)


def _labelled(text: str, increment: Increment, starts: list[int], today: date) -> Iterator[tuple[Paper, Stated]]:
    first, last = starts[increment.line - 1], starts[min(increment.end_line, len(starts) - 1)]
    for label in _LABEL.finditer(text, first, last):
        when = next(dates(text, today, label.end(), label.end() + REACH), None)
        if when and when.start == label.end():
            yield Paper(when.start, when.end, increment.arxiv[0]), when


def _line_starts(text: str) -> list[int]:
    return [0, *(m.end() for m in re.finditer("\n", text)), len(text)]


_TITLE = re.compile(
    r"(?:\s?[—–:：]+\s?|\s?[·]\s?|\s?[（(，,]?\s?)(?:《(?P<zh>[^》\n]{6,200})》|[“\"「](?P<q>[^”\"」\n]{6,200})[”\"」])"
    r"|\s?(?:[—–]+|[:：])\s?(?P<plain>[A-Za-z][^（(|。；;\n·—]{11,200})"
)


def titles(text: str) -> Iterator[Said]:
    """A title stands after the id and a dash or colon, or in quotation marks beside it; a description does not count."""
    for paper in papers(text):
        found = _TITLE.match(text, paper.end)
        if found is None:
            continue
        group = str(found.lastgroup)
        title = found[group].strip().rstrip(".,，")
        words = re.findall(r"[A-Za-z][\w-]*", title)
        mixed = group == "plain" and re.search("[一-鿿]", title)  # a description that runs on
        if len(words) >= 3 and not mixed and sum(map(len, words)) > len(title) / 2:
            yield Said(paper, found.start(group), found.start(group) + len(title), title)


_ET_AL = re.compile(r"[^\n（）()]{0,60}?(?<![A-Za-z])(?P<name>[A-Z][\w'-]+(?:\s[A-Z][\w'.-]+){0,3})(?:\s|,\s)et al\b")


def authors(text: str) -> Iterator[Said]:
    """`2603.07379（… Saroj Mishra et al.）`: the first author as stated beside the id."""
    for paper in papers(text):
        opened = re.match(r"\s?[（(]|\s?(?:by|，|,)\s?", text[paper.end : paper.end + 6])
        found = _ET_AL.match(text, paper.end + opened.end()) if opened else None
        if found:
            yield Said(paper, found.start("name"), found.end("name"), found["name"])
