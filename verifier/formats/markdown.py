"""A summary for a pull request: the sum, a table of what fails, the rest folded away."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.formats._shared import fix, message, shown
from verifier.models import Finding, Run

WORDS = {
    "en": {"fails": "failing", "rest": "undecided, suppressed or there before", "clean": "Nothing stands against it.", "heads": ("place", "level", "rule", "what", "to clear it")},
    "zh": {"fails": "不合格", "rest": "未能判定、已豁免或原有", "clean": "没有不合格项。", "heads": ("位置", "级别", "规则", "内容", "解除")},
}  # fmt: skip


def render(runs: Sequence[Run], lang: str = "en") -> str:
    words = WORDS[lang]
    found = list(shown(runs))
    fails = [f for f in found if f.verdict == "fail" and not f.suppressed and not f.baseline]
    rest = [f for f in found if f not in fails]
    documents = ", ".join(dict.fromkeys(_cell(run.document) for run in runs))
    lines = [f"### verify: {len(fails)} {words['fails']}", "", documents, ""]
    lines += _table(fails, words["heads"], lang) if fails else [str(words["clean"])]
    if rest:
        lines += ["", f"<details><summary>{len(rest)} {words['rest']}</summary>", "", *_table(rest, words["heads"], lang), "", "</details>"]
    return "\n".join(lines) + "\n"


def _table(findings: Sequence[Finding], heads: Sequence[str], lang: str) -> list[str]:
    rows = [(f"{f.locations[0].document}:{f.locations[0].line}", f.severity, f.rule, message(f, lang), fix(f, lang)) for f in findings]
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *(f"| {' | '.join(_cell(c) for c in row)} |" for row in rows)]


def _cell(text: str) -> str:
    """Text of a document as text: no cell ends, no markup, no mentions."""
    clean = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\\", "\\\\")
    for mark in "|`*_[]":
        clean = clean.replace(mark, f"\\{mark}")
    return clean.replace("@", "@\u200b")
