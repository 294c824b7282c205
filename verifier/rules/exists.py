"""What is cited exists: paper and version, release, pull request, repository; and a paper is not withdrawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.extract import mentions
from verifier.models import Finding, Location, Verdict
from verifier.rules._answers import Known, about, release, together
from verifier.rules._base import Context, Rule, finding

TOPIC = r"不存在|未找到|找不到|查无|not found|does not exist|no such"  # what a declared entry about such a fault speaks of
Cited = Iterator[tuple[str, int, int, Known]]


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`of` names what is cited: papers, releases, pulls, repositories. Each is judged once, at its first mention."""
    waiting: list[tuple[Location, Known]] = []
    seen: set[str] = set()
    for name, start, end, known in CITED[rule.spec.get("of", "papers")](context):
        if name in seen:
            continue
        seen.add(name)
        place = context.at(start, end)
        if known.answer in ("never", "unreachable"):
            waiting.append((place, known))
            continue
        verdict, en, zh = _said(name, known)
        yield finding(rule, context, verdict, [place], en, zh, cause=name, evidence=known.looks, observed=name)
    for known, places, looks in together(waiting):
        en, zh = f"{len(places)} cited: {known.reason}", f"{len(places)} 处引用：{known.reason_zh}"
        yield finding(rule, context, "undecided", places, en, zh, cause=known.answer, evidence=looks)


def _said(name: str, known: Known) -> tuple[Verdict, str, str]:
    facts = known.facts
    if known.answer == "found" and facts.get("withdrawn"):
        return "fail", f"{name} has been withdrawn: {facts.get('comment')}", f"{name} 已撤稿：“{facts.get('comment')}”"
    if known.answer == "found":
        return "pass", f"{name} exists", f"{name} 存在"
    if known.answer == "absent":
        return "fail", f"{name} does not exist: {known.reason}", f"{name} 不存在：{known.reason_zh}"
    return "undecided", f"{name}: not found so far: {known.reason}", f"{name}：暂未找到：{known.reason_zh}"


def _papers(context: Context) -> Cited:
    for paper in mentions.papers(context.document.text):
        known = about(context, f"arxiv:{paper.id}")
        yield f"arXiv {paper.id}", paper.start, paper.end, known
        highest = known.facts.get("version")
        if paper.version and isinstance(highest, int):
            missing = f"only versions up to v{highest}"
            there = known if paper.version <= highest else Known("absent", {}, known.looks, missing, f"最新为 v{highest}")
            yield f"arXiv {paper.id}v{paper.version}", paper.start, paper.end, there


def _releases(context: Context) -> Cited:
    for named in mentions.releases(context.document.text):
        yield f"{named.project} {named.version}", named.start, named.end, release(context, named)


def _pulls(context: Context) -> Cited:
    for pull in mentions.pulls(context.document.text):
        yield f"{pull.repo}#{pull.number}", pull.start, pull.end, about(context, pull.citation)


def _repositories(context: Context) -> Cited:
    known = {c.removeprefix("github:"): c for c in context.evidence if re.fullmatch(r"github:[^@#]+", c)}
    for repo, citation in known.items():
        if found := re.search(re.escape(repo), context.document.text, re.IGNORECASE):
            yield repo, found.start(), found.end(), about(context, citation)


CITED: dict[str, Callable[[Context], Cited]] = {"papers": _papers, "releases": _releases, "pulls": _pulls, "repositories": _repositories}
