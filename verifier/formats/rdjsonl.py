"""Reviewdog's diagnostics, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from verifier.formats._shared import fix, level, message, shown, working
from verifier.models import Run

WORDS = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def render(runs: Sequence[Run], lang: str = "en") -> str:
    lines = []
    for f in shown(runs):
        place = f.locations[0]
        text = "\n".join(filter(None, (message(f, lang), *working(f, lang), fix(f, lang))))
        row = {
            "message": text, "severity": WORDS[level(f)], "source": {"name": "verify"}, "code": {"value": f.rule},
            "location": {"path": place.document, "range": {"start": {"line": place.line}, "end": {"line": max(place.line, place.end_line)}}},
        }  # fmt: skip
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)
