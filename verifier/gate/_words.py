"""A gate's answer for readers: one block a claim, then the sum; as data; and as findings for every other format."""

from __future__ import annotations

from collections import Counter
from typing import Any

from verifier.gate._judge import Item
from verifier.gate._records import Answer, Reason
from verifier.models import Counts, Finding, Location, Run, Severity, Verdict

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "block": "BLOCKED", "could_not_check": "COULD NOT CHECK", "pass_with_caveat": "passes with its caveat", "pass": "passes",
        "clears": "to clear it", "baseline": "in the baseline, does not block", "days": "days old", "why": "because", "working": "working",
    },
    "zh": {
        "block": "拦下", "could_not_check": "无法核对", "pass_with_caveat": "带注通过", "pass": "通过",
        "clears": "解除", "baseline": "在基线中，不拦", "days": "天", "why": "因为", "working": "推算",
    },
}  # fmt: skip
STATES = {"open": "未结", "checking": "核对中", "waiting": "等待中", "resolved": "已结", "anchored": "已锚定", "void": "作废"}
LEVELS = {"high": "高", "medium": "中", "low": "低"}
VERDICTS: dict[Answer, tuple[Verdict, Severity]] = {
    "block": ("fail", "high"), "could_not_check": ("undecided", "high"), "pass_with_caveat": ("pass", "low"), "pass": ("pass", "low"),
}  # fmt: skip


def page(document: str, items: tuple[Item, ...], lang: str, explain: bool) -> str:
    """The blocks of one document; those that pass silently only with `explain`."""
    shown = [i for i in items if explain or i.answer != "pass"]
    return "".join(f"{_block(document, item, lang, explain)}\n" for item in shown)


def _block(document: str, item: Item, lang: str, explain: bool) -> str:
    words = WORDS[lang]
    mark = f" [{words['baseline']}]" if item.baseline else ""
    lines = [f"{document}:{item.line}: {words[item.answer]}{mark}: {item.text}"]
    for reason in item.reasons:
        if reason.answer == "pass" and not explain:
            continue
        lines.append(f"    {_said(reason, lang)}")
        lines += [f"        {words['working']}: {w}" for w in reason.working if explain or reason.answer == "block"]
        if reason.clears:
            lines.append(f"        {words['clears']}: {reason.clears}")
    if explain and item.claim:
        about = {"subject": item.claim.subject, "metric": item.claim.metric, "statistic": item.claim.statistic, "baseline": item.claim.baseline}
        about |= {name: c.value for name, c in sorted(item.claim.conditions.items())}
        lines.append(f"        {', '.join(f'{k}={v}' for k, v in about.items() if v)}")
    return "\n".join(lines) + "\n"


def _said(reason: Reason, lang: str) -> str:
    if not reason.record or not reason.state:
        return reason.said_zh if lang == "zh" else reason.said
    if lang == "zh":
        parts = [STATES.get(reason.state, reason.state), LEVELS.get(reason.severity or "", ""), "" if reason.age is None else f"{reason.age} 天"]
        return f"{reason.said_zh}（{' · '.join(p for p in parts if p)}）"
    parts = [reason.state, reason.severity or "", "" if reason.age is None else f"{reason.age} days old"]
    return f"{reason.said} ({', '.join(p for p in parts if p)})"


def total(items: list[Item], unchanged: int, lang: str) -> str:
    """The sum in words."""
    n = Counter(i.stands for i in items)
    held = sum(i.baseline for i in items)
    if lang == "zh":
        said = f"共 {len(items)} 条：拦下 {n['block']}，无法核对 {n['could_not_check']}，带注通过 {n['pass_with_caveat']}，通过 {n['pass'] - held}"
        return said + (f"，基线 {held}" if held else "") + (f"；未改动 {unchanged}" if unchanged else "")
    said = f"{len(items)} judged: {n['block']} blocked, {n['could_not_check']} could not be checked, {n['pass_with_caveat']} pass with a caveat, {n['pass'] - held} pass"
    return said + (f", {held} in the baseline" if held else "") + (f"; {unchanged} unchanged" if unchanged else "")


def plain(item: Item) -> dict[str, Any]:
    """One answer as data."""
    first = item.reasons[0]
    record = next((r.record for r in item.reasons if r.record), None)
    reasons = [{"answer": r.answer, "code": r.code, "reason": r.said, "reason_zh": r.said_zh, "discrepancy": r.record, "state": r.state,
                "severity": r.severity, "age": r.age, "clears": r.clears, "working": list(r.working)} for r in item.reasons]  # fmt: skip
    verified = item.verified
    return {"line": item.line, "text": item.text, "claim": item.claim.id if item.claim else None, "what": item.what, "answer": item.answer,
            "baseline": item.baseline, "discrepancy": record, "reason": first.said, "reason_zh": first.said_zh, "clears": first.clears,
            "verified": {"document": verified.claim.document, "line": verified.claim.line, "text": verified.claim.text} if verified else None,
            "reasons": reasons}  # fmt: skip


def as_run(document: str, as_of: str, items: tuple[Item, ...]) -> Run:
    """The answers as findings, one for each ground against a claim, so that every format can show them."""
    found = []
    for item in items:
        for reason in item.reasons:
            verdict, severity = VERDICTS[reason.answer]
            if verdict == "pass":
                continue
            place = Location(document=document, line=item.line, end_line=item.claim.end_line if item.claim else item.line, text=item.text)
            found.append(Finding(
                rule=f"gate/{reason.code}", rule_version="1", kind="gate", verdict=verdict, severity=severity, locations=(place,),
                claims=(item.claim.id,) if item.claim else (), message=f"{item.text}: {reason.said}", message_zh=f"{item.text}：{reason.said_zh}",
                working=reason.working, fix=reason.clears or "", cause=reason.code, fingerprint=f"{item.print}/{reason.code}",
                baseline=item.baseline, discrepancy=reason.record, note=True,
            ))  # fmt: skip
    counts = Counter(VERDICTS[i.answer][0] for i in items)
    return Run(run="gate", document=document, as_of=as_of, recorded=False, counts=Counts(claims=len(items), verdicts={"gate": dict(sorted(counts.items()))}),
               findings=tuple(found))  # fmt: skip
