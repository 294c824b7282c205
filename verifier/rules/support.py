"""Whether the figures that are credited to a paper or release stand in its abstract or notes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from verifier.extract.mentions import papers, releases
from verifier.models import Claim, Finding, Interval, Look
from verifier.rules._answers import Known, about, release
from verifier.rules._base import Context, Rule, finding

TOPIC = r"摘要|原文|论文称|abstract|the paper|release notes"  # what a declared entry about such a fault speaks of
FORMS = ("value", "ratio", "delta", "change", "range")
SHARES = {"percent", "percentage_point"}
REACH = 80  # characters after a name within which a figure is credited to it, in one clause
STOP = re.compile(r"[。；;\n]|\.\s")
COUNTED = re.compile(r"(?<![\d.,])(?P<n>\d[\d,]*)(?![\d.]*\d)\s?(?:个|项|条|次)?\s?(?:[a-z-]+ )??(?P<noun>[a-z]{2,})s(?![A-Za-z])")
SHOWN = 12  # places that one finding lists


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """A figure that is stated passes; one that the abstract gives another way fails; what it does not say is one finding a source."""
    silent: dict[str, tuple[Known, list[Claim]]] = {}
    for claim, citation, known in _credited(rule, context):
        figures = known.facts["numbers"]
        wrong = _turned(claim, figures)
        if wrong:
            yield _finding(rule, context, claim, citation, wrong, known.looks)
        elif all(any(_fits(ends, claim.unit, figure) for figure in figures) for ends in claim.interval):
            en, zh = f"{claim.text}: stated in {citation}", f"{claim.text}：{citation} 中有"
            yield finding(rule, context, "pass", [claim], en, zh, cause=citation, evidence=known.looks)
        elif citation.startswith("arxiv:"):  # a version's neighbour need not come from its notes
            silent.setdefault(citation, (known, []))[1].append(claim)
    for citation, (known, claims) in silent.items():
        en, zh = (
            f"{len(claims)} figures credited to {citation} are not in its abstract",
            f"{len(claims)} 个数字归于 {citation}，其摘要未提及",
        )
        yield finding(rule, context, "undecided", claims[:SHOWN], en, zh, cause=citation, evidence=known.looks)
    yield from _counted(rule, context)


def _credited(rule: Rule, context: Context) -> Iterator[tuple[Claim, str, Known]]:
    """(claim, citation, what is known) where one source alone is credited and its text is known."""
    named = releases(context.document.text)
    ends = [r.end for r in named]
    for claim in context.claims:
        if claim.form not in FORMS or claim.scope != "world" or not claim.interval or not rule.when(claim):
            continue
        ids = {re.sub(r"v\d+$", "", source.id) for source in claim.sources if source.kind == "arxiv"}
        if len(ids) == 1:
            citation = f"arxiv:{ids.pop()}"
            known = about(context, citation)
        elif not ids and (last := bisect_right(ends, claim.start)) and claim.start <= ends[last - 1] + REACH:
            owner = named[last - 1]
            if STOP.search(context.document.text, owner.end, claim.start):
                continue
            citation, known = owner.citation, release(context, owner)
        else:
            continue
        if known.answer == "found" and known.facts.get("numbers"):
            yield claim, citation, known


def _fits(ends: Interval, unit: str, figure: dict[str, Any]) -> bool:
    """Whether two printed figures can be the same number, whatever their signs."""
    low, high = sorted((abs(ends.low), abs(ends.high)))
    least, most = sorted((abs(figure["low"]), abs(figure["high"])))
    return (unit == figure["unit"] or {unit, figure["unit"]} <= SHARES) and low <= most and least <= high


def _turned(claim: Claim, figures: Sequence[dict[str, Any]]) -> str | None:
    """The same number with the other direction, and nowhere with the claim's own."""
    if claim.form != "delta" or not claim.direction:
        return None
    same = [f for f in figures if _fits(claim.interval[0], claim.unit, f)]
    if same and all(f["direction"] and f["direction"] != claim.direction for f in same):
        return str(same[0]["text"])
    return None


def _finding(rule: Rule, context: Context, claim: Claim, citation: str, actual: str, looks: Sequence[Look]) -> Finding:
    return finding(rule, context, "fail", [claim], f"{claim.text} ({claim.direction}) credited to {citation}, which says the other direction: {actual}",
                   f"{claim.text} 归于 {citation}，但其方向相反：{actual}", expected=actual, observed=claim.text, cause=citation, evidence=looks)  # fmt: skip


def _counted(rule: Rule, context: Context) -> Iterator[Finding]:
    """`2506.09713 studies 1,050 bugs` where the abstract counts 929 bugs, and counts bugs once."""
    text, named = context.document.text, papers(context.document.text)
    for paper, following in zip(named, [*named[1:], None], strict=False):
        figures = about(context, f"arxiv:{paper.id}").facts.get("numbers") or []
        stop = STOP.search(text, paper.end, paper.end + REACH)
        end = min(stop.start() if stop else paper.end + REACH, following.start if following else len(text))
        for stated in COUNTED.finditer(text, paper.end, end) if figures else ():
            counts = {f["low"] for f in figures if f["unit"] == stated["noun"]}
            number = float(stated["n"].replace(",", ""))
            if len(counts) != 1:
                continue
            [actual] = counts
            en = f"arXiv {paper.id}: {number:g} {stated['noun']}s stated, {actual:g} in its abstract"
            zh = f"arXiv {paper.id}：称 {number:g} {stated['noun']}s，摘要为 {actual:g}"
            yield finding(rule, context, "pass" if number == actual else "fail", [context.at(stated.start(), stated.end())], en, zh,
                          working=[f"{number:g} / {actual:g}"], expected=f"{actual:g}", observed=f"{number:g}",
                          cause=f"{paper.id}|{stated['noun']}", evidence=about(context, f"arxiv:{paper.id}").looks)  # fmt: skip
