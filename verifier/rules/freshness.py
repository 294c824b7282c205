"""A version called current that was far behind the newest one at the document's date."""

from __future__ import annotations

from collections.abc import Iterable

from packaging.version import InvalidVersion, Version

from verifier.lexicon import load
from verifier.models import Finding
from verifier.rules._base import Context, Rule, block_of, finding

TOPIC = r"版本|过时|过期|落后|version|stale|outdated"  # what a declared entry about such a fault speaks of


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`marker`: words that call it current; `behind`: how many minor versions are too many. Needs release evidence."""
    markers = rule.spec.get("markers", ["current version", "latest version", "当前版本", "最新版"])
    behind = int(rule.spec.get("behind", 3))
    for claim in context.claims:
        block = block_of(context, claim)
        if claim.form != "version" or not claim.subject or not block or not rule.when(claim):
            continue
        if not any(m in block.text[: claim.start - block.start].lower() for m in markers):
            continue
        repo = load().entry("project", claim.subject).get("repo")
        looks = context.evidence.get(f"github:{repo}@latest", ()) if repo else ()
        newest = None
        for look in looks:
            if look.outcome == "found":
                for release in look.facts.get("releases") or [look.facts]:
                    published = str(release.get("published") or "")[:10]
                    if published and published <= context.as_of.isoformat() and not (release.get("draft") or release.get("prerelease")):
                        version = _version(str(release.get("version")))
                        newest = max(newest, version) if newest and version else version or newest
        stated = _version(str(claim.value))
        if not newest or not stated:
            yield finding(
                rule, context, "undecided", [claim], f"newest release of {claim.subject} not known", f"{claim.subject} 的最新版本未知", evidence=looks
            )
            continue
        stale = newest.major > stated.major or (newest.major == stated.major and newest.minor - stated.minor >= behind)
        working = f"{claim.subject} {stated} stated as current; newest at {context.as_of} was {newest}"
        yield finding(
            rule, context, "fail" if stale else "pass", [claim], working, f"{claim.subject} {stated} 称为当前版本；{context.as_of} 时最新为 {newest}",
            working=[working], expected=str(newest), observed=str(stated), evidence=looks,
        )  # fmt: skip


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
