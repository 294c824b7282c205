"""SARIF 2.1.0 for editors and code hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence

from verifier.models import Run

LEVEL = {"high": "error", "medium": "warning", "low": "note"}


def render(runs: Sequence[Run], lang: str = "en") -> str:
    results = []
    rules: dict[str, dict[str, object]] = {}
    for run in runs:
        for f in run.findings:
            if f.verdict != "fail":
                continue
            rules.setdefault(f.rule, {"id": f.rule, "help": {"text": f.fix or f.rule}})
            places = [
                {"physicalLocation": {"artifactLocation": {"uri": p.document}, "region": {"startLine": p.line, "endLine": p.end_line}}}
                for p in f.locations
            ]  # fmt: skip
            result: dict[str, object] = {
                "ruleId": f.rule, "level": LEVEL[f.severity], "message": {"text": f.message_zh if lang == "zh" else f.message},
                "locations": places, "partialFingerprints": {"verify/1": f.fingerprint},
            }  # fmt: skip
            if f.suppressed:
                result["suppressions"] = [{"kind": "inSource", "justification": f.suppressed}]
            results.append(result)
    driver = {"name": "verify", "rules": [rules[k] for k in sorted(rules)]}
    body = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"
