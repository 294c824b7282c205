"""Stars and licences that are stated of a repository, against the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from verifier.lexicon import load
from verifier.models import Finding, Location, Verdict
from verifier.rules._answers import Known, about
from verifier.rules._base import Context, Rule, finding

NEAR_DAY = 30  # days within which a count of stars speaks for the day of judgement
FEWER = 0.7  # stars grow: fewer than this part of the count of about that day is no rounding
LICENCE = re.compile(
    r"(?P<name>Apache(?:[- ]?(?:License)?[- ]?2(?:\.0)?)?|MIT|BSD[- ]?[23]?|A?L?GPL[- ]?v?[23](?:\.0)?|MPL[- ]?2(?:\.0)?)(?![A-Za-z])"
)
SAYS = re.compile(r"licen[cs]e|licen[cs]ed|许可|协议|开源|open[- ]source", re.I)
LINK = re.compile(r"github\.com/(?P<repo>[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]+)", re.ASCII)


def stars(rule: Rule, context: Context, waiting: list[tuple[Location, Known]]) -> Iterator[Finding]:
    """More stars than a later look counts, or far fewer than one of about that day."""
    for claim in context.claims:
        repo = _repository(claim.subject or "") if claim.metric == "stars" else None
        if repo is None or not isinstance(claim.value, float) or not claim.interval:
            continue
        known = about(context, f"github:{repo}")
        count = known.facts.get("stars")
        if not isinstance(count, int):
            waiting.append((context.at(claim.start, claim.end), known))
            continue
        ends, days = claim.interval[0], (datetime.fromisoformat(known.looks[-1].fetched_at).date() - context.as_of).days
        more = days >= 0 and ends.low > count * 1.01
        fewer = abs(days) <= NEAR_DAY and ends.high < count * FEWER
        verdict: Verdict = "fail" if more or fewer else "pass" if abs(days) <= NEAR_DAY else "undecided"
        yield finding(rule, context, verdict, [claim], f"{repo}: {claim.text} stated, {count} counted {days} days after",
                      f"{repo}：称 {claim.text}，{days} 天后查得 {count}", working=[f"{ends.low:.0f}..{ends.high:.0f} / {count}"],
                      expected=str(count), observed=claim.text, cause=repo, evidence=known.looks)  # fmt: skip


def licences(rule: Rule, context: Context, waiting: list[tuple[Location, Known]]) -> Iterator[Finding]:
    """`github.com/owner/name（Apache-2.0 开源）`."""
    text = context.document.text
    for link in LINK.finditer(text):
        clause = re.split(r"[。；;\n]|https?://", text[link.end() : link.end() + 60])[0]
        said = LICENCE.search(clause)
        if not said or not SAYS.search(clause):
            continue
        repo, place = link["repo"].rstrip(".").removesuffix(".git"), context.at(link.end() + said.start(), link.end() + said.end())
        known = about(context, f"github:{repo}")
        actual = known.facts.get("licence")
        if not actual or actual == "NOASSERTION":
            silent = known if known.answer != "found" else known._replace(reason="the repository does not say", reason_zh="仓库未注明")
            waiting.append((place, silent))
            continue
        verdict: Verdict = "pass" if _family(said["name"]) == _family(str(actual)) else "fail"
        yield finding(rule, context, verdict, [place], f"{repo}: {said['name']} stated, its licence is {actual}", f"{repo}：称 {said['name']}，许可证实为 {actual}",
                      expected=str(actual), observed=said["name"], cause=repo, evidence=known.looks)  # fmt: skip


def _family(name: str) -> str:
    """`Apache 2.0` and `Apache-2.0` are one, `GPLv3` and `GPL-3.0-only` too."""
    found = re.match(r"[A-Za-z]+?(?=v?[\W\d]|$)", name)
    digit = re.search(r"\d", name)
    family = found.group().upper() if found else name.upper()
    return family + (digit.group() if digit and family.endswith(("GPL", "BSD")) else "")


def _repository(subject: str) -> str | None:
    if re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+", subject):
        return subject
    repo = load().entry("project", subject).get("repo")
    return str(repo) if repo else None
