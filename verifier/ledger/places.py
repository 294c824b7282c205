"""Where a run found what a record is about: the line around each claim, and the values that stand against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.models import Claim, Declared, Finding

MOST = 8  # places that one event keeps
AROUND = 90  # characters of the line on either side
AGAINST = ("contradiction", "drift")  # kinds that set values against each other


def declaration(document: str, entry: Declared) -> dict[str, Any]:
    """The place of an entry that the document wrote itself."""
    return {"document": document, "line": entry.line, "text": entry.title}


def places(findings: Sequence[Finding], claims: Mapping[str, Claim], text: str) -> list[dict[str, Any]]:
    """The findings' claims, or what they quote where they rest on none, each once, in order."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for finding in findings:
        for place in _of(finding, claims, text):
            found.setdefault((place["document"], place["line"], place["text"], *place.get("mark", ())), place)
    return list(found.values())[:MOST]


def _of(finding: Finding, claims: Mapping[str, Claim], text: str) -> Iterator[dict[str, Any]]:
    known = [claims[c] for c in finding.claims if c in claims]
    for claim in known:
        told = {"figures": _figures(claim)} if finding.kind in AGAINST else {}
        yield {"document": claim.document, "line": claim.line, **_around(text, claim), **told}
    if not known:
        for place in finding.locations:
            yield {"document": place.document, "line": place.line, "text": place.text[: 2 * AROUND]}


def _around(text: str, claim: Claim) -> dict[str, Any]:
    start, end = claim.start, min(claim.end, claim.start + AROUND)
    if text[start : claim.end] != claim.text:
        return {"text": claim.text[: 2 * AROUND]}
    left = max(text.rfind("\n", 0, start) + 1, start - AROUND)
    line_end = text.find("\n", end)
    right = min(len(text) if line_end < 0 else line_end, end + AROUND)
    left += len(text[left:start]) - len(text[left:start].lstrip(" •"))
    return {"text": text[left:right].rstrip(), "mark": [start - left, end - left]}


def _figures(claim: Claim) -> dict[str, Any]:
    return {
        "text": claim.text, "numbers": list(claim.numbers), "interval": [[i.low, i.high] for i in claim.interval], "unit": claim.unit,
        "subject": claim.subject, "metric": claim.metric, "conditions": {name: c.value for name, c in sorted(claim.conditions.items())},
    }  # fmt: skip
