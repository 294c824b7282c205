"""What was true of an older version, or in an older paper, and is told as if it were today's."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

from packaging.version import Version

from verifier.extract.mentions import Release, papers, releases
from verifier.models import Claim, Finding, Location
from verifier.normalize import versions
from verifier.rules._answers import newest
from verifier.rules._base import Context, Rule, finding, version_fact
from verifier.rules._parts import FIELD, Part, parts

MARKERS = ("current version", "currently", "latest version", "latest release", "up-to-date", "当前版本", "最新版", "最新稳定版", "现版本")
REACH = 90  # characters from the marker to the version, within one clause
STOP = re.compile(r"[。；;！!？?\n]|\.\s")
LEAST = re.compile(r"[>≥=]\s?[vV]?$")
CARRIED = re.compile(r"沿用|已锚|锚入|承接|§\s?[IVX]+|与活文档|对照|carried over|see also", re.I)
TOPIC = r"版本|过时|过期|落后|旧论文|version|stale|outdated"  # what a declared entry about such a fault speaks of


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check`: current (a version called so, against release evidence), source (what a part studies, against the
    newest that the document itself names), paper (a paper's age under a claim about an engine)."""
    return CHECKS[rule.spec.get("check", "current")](rule, context)


def _current(rule: Rule, context: Context) -> Iterator[Finding]:
    """`markers`: words that call it current; `behind`: how many minor versions are too many. Needs release evidence."""
    markers = re.compile("|".join(map(re.escape, rule.spec.get("markers", MARKERS))), re.IGNORECASE)
    behind = int(rule.spec.get("behind", 3))
    claims = {claim.start: claim for claim in context.claims if claim.form == "version" and rule.when(claim)}
    seen: set[str] = set()
    for named in releases(context.document.text):
        stated = versions.parse(named.version)
        if named.citation in seen or stated is None or not _called_current(context.document.text, named, markers):
            continue
        seen.add(named.citation)
        at: list[Claim | Location] = [claims.get(named.start) or claims.get(named.start - 1) or context.at(named.start, named.end)]
        known = newest(context, named.repo, named.tag)
        last = versions.parse(str(known.facts.get("version")))
        if last is None:
            yield finding(rule, context, "undecided", at, f"newest release of {named.project} not known: {known.reason}",
                          f"{named.project} 的最新版本未知：{known.reason_zh}", evidence=known.looks)  # fmt: skip
            continue
        stale = _behind(stated, last) >= behind
        working = f"{named.project} {stated} stated as current; newest at {context.as_of} was {last}"
        yield finding(
            rule, context, "fail" if stale else "pass", at, working, f"{named.project} {stated} 称为当前版本；{context.as_of} 时最新为 {last}",
            working=[working], expected=str(last), observed=str(stated), evidence=known.looks,
            cause=version_fact(named.project, stated),
        )  # fmt: skip


def _called_current(text: str, named: Release, markers: re.Pattern[str]) -> bool:
    """Whether a marker stands before the version in its own clause."""
    before = text[max(0, named.start - REACH) : named.start]
    return markers.search(STOP.split(before)[-1]) is not None


def _behind(stated: Version, last: Version) -> float:
    """Minor versions behind; another major version is far behind however it counts."""
    return float("inf") if last.major > stated.major else last.minor - stated.minor if last.major == stated.major else 0


def _source(rule: Rule, context: Context) -> Iterator[Finding]:
    """A part whose own points are of one old version, while the document names a much newer one of the same project."""
    behind = int(rule.spec.get("behind", 5))
    text = context.document.text
    named = [(version, r) for r in releases(text) if (version := versions.parse(r.version))]
    places = [r.start for _, r in named]
    lines: dict[tuple[str, int], tuple[Version, Release]] = {}
    for version, release in named:
        held = lines.setdefault((release.project, version.major), (version, release))
        if version > held[0]:
            lines[release.project, version.major] = version, release
    for part in parts(context):
        own: dict[str, list[tuple[Version, Release]]] = {}
        studied = [b for b in part.blocks if not CARRIED.search(b.text.split("\n")[0][:60]) and not FIELD.match(b.text) and not _anchoring(b.text)]
        inside = named[bisect_left(places, part.blocks[0].start) : bisect_left(places, part.blocks[-1].end)]
        for version, release in inside:
            least = LEAST.search(text, max(0, release.start - 4), release.start) or text[release.end : release.end + 1] == "+"
            if (
                not least
                and any(b.start <= release.start < b.end for b in studied)
                and not CARRIED.search(text[max(0, release.start - 40) : release.start])
            ):
                own.setdefault(release.project, []).append((version, release))
        for project, found in own.items():
            newest_own = max(version for version, _ in found)
            last, where = lines[project, newest_own.major]
            if last.minor - newest_own.minor < behind:
                continue
            at = context.at(found[0][1].start, found[0][1].end)
            there = context.at(where.start, where.end)
            working = f"{project} {newest_own} (line {at.line}) is what this part rests on; line {there.line} names {last}"
            yield finding(rule, context, "fail", [at, there], f"{working}, {last.minor - newest_own.minor} minor versions later",
                          f"本条依据 {project} {newest_own}（第 {at.line} 行）；第 {there.line} 行已有 {last}，相隔 {last.minor - newest_own.minor} 个次版本",
                          working=[working], expected=str(last), observed=str(newest_own), cause=version_fact(project, newest_own))  # fmt: skip


def _anchoring(text: str) -> bool:
    return re.match(r"\s*(?:•\s*)?(?:建议|与活文档|关键意涵|对照|suggested)", text, re.I) is not None


def _paper(rule: Rule, context: Context) -> Iterator[Finding]:
    """A paper `months` old or more that a part or a point rests on, about engines that have gone on since; one for each paper."""
    oldest = int(rule.spec.get("months", 6))
    told: set[str] = set()
    for part in parts(context):
        sources = dict.fromkeys(p.id for p in papers(part.head)) if len({p.id for p in papers(part.head)}) == 1 else {}
        for place, ident, words in (*_headed(context, part, sources), *_pointed(context, part)):
            age = _age(ident, context)
            if ident in told or age is None or age < oldest or not words:
                continue
            told.add(ident)
            said = ", ".join(words[:3])
            yield finding(rule, context, "fail", [place], f"arXiv {ident} is {age} months old; what it says of {said} may have changed",
                          f"arXiv {ident} 已 {age} 个月；其中关于 {'、'.join(words[:3])} 的说法可能已变", working=[f"{context.as_of}: {age} months after {ident[:4]}"],
                          cause=f"paper|{ident}")  # fmt: skip


def _headed(context: Context, part: Part, sources: Iterable[str]) -> Iterator[tuple[Location, str, list[str]]]:
    engines = list(dict.fromkeys(n.canonical for b in part.blocks if not _anchoring(b.text) for n in context.names(b) if n.kind == "engine"))
    for ident in sources:
        yield context.line(part.line), ident, engines


def _pointed(context: Context, part: Part) -> Iterator[tuple[Location, str, list[str]]]:
    """A bullet of its own that names one paper and an engine beside it."""
    for block in part.blocks:
        named = papers(block.text)
        if block.kind == "bullet" and len({p.id for p in named}) == 1 and not FIELD.match(block.text) and not _anchoring(block.text):
            engines = list(dict.fromkeys(n.canonical for n in context.names(block) if n.kind == "engine"))
            yield context.at(block.start + named[0].start, block.start + named[0].end), named[0].id, engines


def _age(ident: str, context: Context) -> int | None:
    """Months since the number was given out: the paper is that old at least, or was held back that long."""
    if not re.match(r"\d{4}\.", ident):
        return None
    return (context.as_of.year - 2000 - int(ident[:2])) * 12 + context.as_of.month - int(ident[2:4])


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {"current": _current, "source": _source, "paper": _paper}
