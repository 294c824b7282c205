"""JUnit XML for build servers: one suite a document, failures fail, undecided and suppressed ones are skipped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from verifier.formats._shared import fix, message, shown, working
from verifier.models import Finding, Run

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold at all


def render(runs: Sequence[Run], lang: str = "en") -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for run in runs:
        found = list(shown([run]))
        fails = sum(_fails(f) for f in found)
        head = f'tests="{max(len(found), 1)}" failures="{fails}" errors="0" skipped="{len(found) - fails}"'
        lines.append(f"  <testsuite name={_attribute(run.document)} {head}>")
        lines += [_case(f, lang) for f in found] or [f'    <testcase classname={_attribute(run.document)} name="verify"/>']
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _fails(finding: Finding) -> bool:
    return finding.verdict == "fail" and not finding.suppressed and not finding.baseline


def _case(f: Finding, lang: str) -> str:
    place = f.locations[0]
    said = _attribute(message(f, lang))
    body = escape(FORBIDDEN.sub("\ufffd", "\n".join([message(f, lang), *working(f, lang), fix(f, lang)]).strip()))
    inner = f"<failure type={_attribute(f.severity)} message={said}>{body}</failure>" if _fails(f) else f"<skipped message={said}/>"
    name = _attribute(f"{f.rule} line {place.line}: {place.text}")
    return f"    <testcase classname={_attribute(place.document)} name={name}>{inner}</testcase>"


def _attribute(text: str) -> str:
    return quoteattr(FORBIDDEN.sub("\ufffd", " ".join(text.split())))
