"""SARIF 2.1.0 for editors and code hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from verifier.formats._shared import fix, level, message, print_of, shown, working
from verifier.models import Finding, Run

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(runs: Sequence[Run], lang: str = "en") -> str:
    findings = list(shown(runs))
    rules = {f.rule: f for f in reversed(findings)}
    order = sorted(rules)
    driver = {"name": "verify", "rules": [_rule(rules[r], lang) for r in order]}
    results = [_result(f, order.index(f.rule), lang) for f in findings]
    body = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}]}
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def _rule(finding: Finding, lang: str) -> dict[str, Any]:
    text = fix(finding, lang) or finding.rule
    return {"id": finding.rule, "shortDescription": {"text": f"{finding.kind}: {finding.rule}"}, "help": {"text": text},
            "properties": {"kind": finding.kind, "version": finding.rule_version}}  # fmt: skip


def _result(f: Finding, index: int, lang: str) -> dict[str, Any]:
    places = [
        {"physicalLocation": {"artifactLocation": {"uri": quote(p.document)}, "region": {"startLine": p.line, "endLine": max(p.line, p.end_line)}}}
        for p in f.locations
    ]  # fmt: skip
    properties = {"verdict": f.verdict, "severity": f.severity, "working": list(working(f, lang)), "fix": fix(f, lang), "discrepancy": f.discrepancy}
    result: dict[str, Any] = {
        "ruleId": f.rule, "ruleIndex": index, "level": level(f), "message": {"text": message(f, lang)}, "locations": places,
        "partialFingerprints": {"verify/1": print_of(f)}, "properties": {k: v for k, v in properties.items() if v},
    }  # fmt: skip
    if f.verdict != "fail":
        result |= {"kind": "review", "level": "none"}  # SARIF lets only what fails have a level
    if f.suppressed:
        result["suppressions"] = [{"kind": "inSource", "status": "accepted", "justification": f.suppressed}]
    elif f.baseline:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": "in the baseline"}]
    return result
