"""GitLab's code quality report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from verifier.formats._shared import level, message, print_of, shown
from verifier.models import Run

WORDS = {"error": "critical", "warning": "major", "note": "info"}


def render(runs: Sequence[Run], lang: str = "en") -> str:
    seen: Counter[str] = Counter()
    rows = []
    for f in shown(runs):
        place = f.locations[0]
        mark = print_of(f)
        seen[mark] += 1  # GitLab drops a second entry with one fingerprint
        rows.append({
            "description": message(f, lang), "check_name": f.rule, "fingerprint": mark if seen[mark] == 1 else f"{mark}-{seen[mark]}",
            "severity": WORDS[level(f)], "location": {"path": place.document, "lines": {"begin": place.line, "end": max(place.line, place.end_line)}},
        })  # fmt: skip
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
