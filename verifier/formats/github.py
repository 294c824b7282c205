"""Annotations of GitHub Actions: one workflow command a line."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.formats._shared import fix, level, message, shown, working
from verifier.models import Run

WORDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(runs: Sequence[Run], lang: str = "en") -> str:
    lines = []
    for f in shown(runs):
        place = f.locations[0]
        fields = {"file": place.document, "line": str(place.line), "endLine": str(max(place.line, place.end_line)), "title": f.rule}
        body = "\n".join(filter(None, (message(f, lang), *working(f, lang), fix(f, lang))))
        lines.append(f"::{WORDS[level(f)]} {','.join(f'{k}={_field(v)}' for k, v in fields.items())}::{_data(body)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _field(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
