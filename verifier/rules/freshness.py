"""A version called current that was far behind the newest one at the document's date."""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.version import Version

from verifier.extract.mentions import Release, releases
from verifier.models import Claim, Finding, Location
from verifier.normalize import versions
from verifier.rules._answers import newest
from verifier.rules._base import Context, Rule, finding

MARKERS = ("current version", "currently", "latest version", "latest release", "up-to-date", "当前版本", "最新版", "最新稳定版", "现版本")
REACH = 90  # characters from the marker to the version, within one clause
STOP = re.compile(r"[。；;！!？?\n]|\.\s")

TOPIC = r"版本|过时|过期|落后|version|stale|outdated"  # what a declared entry about such a fault speaks of


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
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
        )  # fmt: skip


def _called_current(text: str, named: Release, markers: re.Pattern[str]) -> bool:
    """Whether a marker stands before the version in its own clause."""
    before = text[max(0, named.start - REACH) : named.start]
    return markers.search(STOP.split(before)[-1]) is not None


def _behind(stated: Version, last: Version) -> float:
    """Minor versions behind; another major version is far behind however it counts."""
    return float("inf") if last.major > stated.major else last.minor - stated.minor if last.major == stated.major else 0
