"""For people: what is wrong first, with its working; the rest as counts."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.formats._shared import fix, message, working
from verifier.models import Finding, Run

WORDS = {
    "en": {"wrong": "failing", "undecided": "undecided", "aside": "set aside", "fix": "fix", "none": "nothing failing", "claims": "claims"},
    "zh": {"wrong": "不合格", "undecided": "未能判定", "aside": "已排除", "fix": "建议", "none": "没有不合格项", "claims": "条论断"},
}


def render(runs: Sequence[Run], lang: str = "en") -> str:
    return "\n".join(_run(run, WORDS[lang], lang) for run in runs)


def _run(run: Run, words: dict[str, str], lang: str) -> str:
    fails = [f for f in run.findings if f.verdict == "fail"]
    lines = [f"{run.document}  ({run.as_of}, {run.counts.claims} {words['claims']})", ""]
    lines += [text for f in fails for text in _finding(f, words, lang)] or [f"  {words['none']}", ""]
    undecided = [f for f in run.findings if f.verdict == "undecided"]
    if undecided:
        lines += [f"{words['undecided']} ({len(undecided)}):", *(f"  {f.locations[0].line}: {message(f, lang)}" for f in undecided[:5])]
        lines += [f"  … +{len(undecided) - 5}"] if len(undecided) > 5 else []
    if run.set_aside:
        lines.append(f"{words['aside']}: " + ", ".join(f"{n} {kind}" for kind, n in run.set_aside.items()))
    lines += [f"{d.number} {d.what.replace('_', ' ')}: {d.title}" for d in run.discrepancies]
    lines += [f"! {d.number} {d.warning}" for d in run.discrepancies if d.warning]
    lines += [f"! {warning}" for warning in run.warnings]
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, words: dict[str, str], lang: str) -> list[str]:
    place = finding.locations[0]
    mark = f" [{finding.suppressed}]" if finding.suppressed else ""
    said = message(finding, lang)
    head = f"{place.document}:{place.line}: {finding.severity} {finding.rule} {said}{mark}"
    return [head, *(f"    {w}" for w in working(finding, lang) if w not in said), f"    {words['fix']}: {fix(finding, lang)}", ""]
