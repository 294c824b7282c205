"""The only file that decides whether an anchoring may pass. Offline and repeatable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from verifier.errors import ExitCode
from verifier.gate._changes import Change
from verifier.gate._matching import Match, identified, match, relation
from verifier.gate._records import Answer, Reason, Records
from verifier.gate._statements import Statement
from verifier.models import SEVERITIES, Claim, Finding, Look
from verifier.reconcile import Count
from verifier.settings import Policy

RANK: tuple[Answer, ...] = ("pass", "pass_with_caveat", "could_not_check", "block")
# What a record must speak of for a finding of a kind to be its matter.
TOPICS = {
    "required-context": r"SXM|PCIe|卡型|型号|未注明|未说明|未标|缺失|缺少|口径|基线|not stated|unstated|missing|without",
    "bounds": r"口径|分母|超过|超出|不可能|denominator|exceed|impossible",
    "derived": r"算错|重算|计算|算术|不符|推不出|follow|recomput|arithmetic|add up",
    "freshness": r"版本|过时|过期|落后|version|stale|outdated",
    "agrees": r"日期|版本|作者|标题|date|version|author|title",
}


@dataclass(frozen=True)
class Item:
    """The answer for one anchored claim, or for one count that the document states; all its grounds, the gravest first."""

    line: int
    text: str
    what: str
    reasons: tuple[Reason, ...]
    claim: Claim | None = None
    verified: Statement | None = None
    rests_on: tuple[str, ...] = ()
    print: str = ""
    baseline: bool = False

    @property
    def answer(self) -> Answer:
        return self.reasons[0].answer

    @property
    def stands(self) -> Answer:
        """The answer as it counts: what the baseline holds is shown and does not block."""
        return "pass" if self.baseline else self.answer


@dataclass(frozen=True)
class Grounds:
    """What a judgement rests on, all of it read beforehand."""

    records: Records
    verified: Sequence[Statement]
    standing: Sequence[Statement]
    earlier: Sequence[Statement]
    findings: Sequence[Finding]
    evidence: Mapping[str, tuple[Look, ...]]
    policy: Policy
    as_of: date


def judge(change: Change, grounds: Grounds, lost: Sequence[str] = ()) -> Item:
    """Every ground for and against one statement; `lost` are records that the words in its place named."""
    statement, policy = change.statement, grounds.policy
    found = match(statement, [*grounds.verified, *grounds.earlier], policy.tolerance)
    kin = [*([found.verified] if found and found.relation != "other" else []), *([change.before] if change.before else [])]
    numbers = list(dict.fromkeys([*grounds.records.of(statement, kin), *lost]))
    reasons = [*_restated(statement, found, numbers, grounds), *_contradicted(statement, grounds)]
    reasons += [r for n in numbers if (r := grounds.records.asks(n, statement.text, policy))]
    reasons += _failing(statement, numbers, grounds)
    reasons += _stale(statement, grounds)
    reasons.sort(key=lambda r: -RANK.index(r.answer))
    return Item(statement.claim.line, statement.claim.text, change.what, tuple(reasons), statement.claim, found.verified if found else None,
                tuple(numbers))  # fmt: skip


def _restated(statement: Statement, found: Match | None, numbers: Sequence[str], grounds: Grounds) -> list[Reason]:
    said = statement.claim.text
    if (found is None or found.changed) and (number := grounds.records.corrected_to(statement, numbers)):
        return [Reason("pass", "corrected", f"is what {number} was corrected to", f"为 {number} 更正后的写法", number)]
    if found is None:
        return [Reason("could_not_check", "not-verified", f"no run has verified {said}", f"没有核验记录：{said}",
                       clears="verify run BRIEFING, with the briefing that it comes from")]  # fmt: skip
    place = _place(found.verified)
    if found.relation == "other":
        right = found.verified.claim.text
        return [Reason("block", "another-value", f"{place} has {right} for this, not {said}", f"{place} 对此写的是 {right}，不是 {said}",
                       clears=f"write {right}, or verify run a briefing that has {said}", working=(f"{place}: {_short(found.verified)}",))]  # fmt: skip
    if found.changed:
        lost, lost_zh = "; ".join(c[0] for c in found.changed), "；".join(c[1] for c in found.changed)
        return [Reason("block", "drift", f"drift from {place}: lost or changed {lost}", f"与 {place} 有漂移：丢失或改变 {lost_zh}",
                       clears=f"restore {lost}", working=(f"{place}: {_short(found.verified)}",))]  # fmt: skip
    return [Reason("pass", "verified", f"says what {place} says", f"与 {place} 一致", working=(f"{place}: {_short(found.verified)}",))]


def _place(s: Statement) -> str:
    return f"{s.claim.document}:{s.claim.line}"


def _short(s: Statement) -> str:
    text = " ".join((s.text or s.claim.text).split())
    return text if len(text) <= 160 else f"{text[:159]}…"


def _contradicted(statement: Statement, grounds: Grounds) -> list[Reason]:
    """Another statement that stands in the document, the same in every condition, with another value."""
    claim = statement.claim
    if claim.form != "value" or isinstance(claim.value, str) or len(statement.own) < 2:
        return []
    for other in grounds.standing:
        c = other.claim
        same = all(getattr(c, n) == getattr(claim, n) for n in ("form", "unit", "subject", "metric", "statistic", "baseline", "bound"))
        elsewhere = c.start != claim.start and other.words != statement.words
        if same and elsewhere and other.own == statement.own and relation(statement, other) == "other" and identified(statement, other):
            return [Reason("block", "contradiction", f"line {c.line} has {c.text} under the same conditions",
                               f"第 {c.line} 行同一条件下写的是 {c.text}", clears="settle which holds and keep one, or name the condition that differs",
                               working=(f"{', '.join(f'{k}={v}' for k, v in sorted(other.own.items()))}",))]  # fmt: skip
    return []


def _failing(statement: Statement, numbers: Sequence[str], grounds: Grounds) -> list[Reason]:
    """Findings on the statement's own words; one that a record shown there is about is that record's matter."""
    policy = grounds.policy
    found = []
    for f in grounds.findings:
        mine = statement.claim.id in f.claims or not f.claims and any(
            statement.first <= p.line <= statement.last and (statement.claim.text in p.text or p.text in statement.claim.text) for p in f.locations
        )  # fmt: skip
        if f.suppressed or not mine or f.verdict not in ("fail", "undecided", "error") or {f.rule, f.kind} & set(policy.pass_rules):
            continue
        if f.verdict == "fail":
            wanted = {f.rule, f.kind} & set(policy.block_rules)
            if not wanted and SEVERITIES.index(f.severity) < SEVERITIES.index(policy.block_from):
                continue
            if not wanted and any(_is_matter_of(f, n, grounds.records) for n in numbers):
                continue
            found.append(
                Reason("block", f.rule, f"{f.rule}: {f.message}", f"{f.rule}：{f.message_zh}", severity=f.severity, clears=f.fix, working=f.working)
            )
        elif {f.rule, f.kind} & set(policy.require):
            found.append(Reason("could_not_check", f.rule, f"{f.rule} is undecided: {f.message}", f"{f.rule} 未能判定：{f.message_zh}", severity=f.severity,
                                clears=f.fix, working=f.working))  # fmt: skip
    return found


def _is_matter_of(finding: Finding, number: str, records: Records) -> bool:
    record = records.live(number)
    if record is None:
        return False
    topic = TOPICS.get(finding.kind)
    text = f"{record.title} {record.problem or ''}"
    return finding.cause == record.cause or finding.fingerprint in record.findings or bool(topic and re.search(topic, text, re.I))


def _stale(statement: Statement, grounds: Grounds) -> list[Reason]:
    """Evidence of what the claim cites that is past its date."""
    last = grounds.as_of - timedelta(days=grounds.policy.grace_days)
    found = []
    for source in statement.claim.sources:
        looks = [k for k in grounds.evidence.get(f"{source.kind}:{source.id}", ()) if k.outcome == "found"]
        if looks and all(k.not_after and k.not_after[:10] < last.isoformat() for k in looks):
            day = max(k.not_after[:10] for k in looks if k.not_after)
            found.append(Reason("could_not_check", "old-evidence", f"what is known of {source.kind}:{source.id} was good until {day}",
                                f"{source.kind}:{source.id} 的证据有效期至 {day}", clears=f"verify fetch {source.kind}:{source.id}"))  # fmt: skip
    return found


def counted(count: Count) -> Item:
    """Whether a stated count is right."""
    s = count.stated
    start = f", {count.was} before" if count.was is not None and s.before is not None else ""
    working = (f"distinct {s.kind} in the document: {count.is_}{start}",)
    if count.right:
        reason = Reason("pass", "count", f"{s.text}: the document holds {count.is_}", f"{s.text}：文档实有 {count.is_}", working=working)
    else:
        right = f"{count.was} → {count.is_}" if start else str(count.is_)
        reason = Reason("block", "count", f"{s.text}: the document holds {count.is_} distinct ones{start}", f"{s.text}：文档实有 {count.is_} 个（去重）",
                        clears=f"write {right}; `verify reconcile` lists them", working=working)  # fmt: skip
    return Item(s.line, s.text, "stated", (reason,))


def code(items: Sequence[Item]) -> ExitCode:
    """Blocked (1) outranks could not check (3)."""
    answers = {i.stands for i in items}
    return ExitCode.AGAINST if "block" in answers else ExitCode.UNCHECKED if "could_not_check" in answers else ExitCode.CLEAN


def marked(item: Item, fingerprint: str, baseline: set[str]) -> Item:
    return replace(item, print=fingerprint, baseline=fingerprint in baseline and item.answer in ("block", "could_not_check"))
