"""One rule of a kind, judged on a text with evidence that is written out."""

from __future__ import annotations

from datetime import date
from typing import Any

from verifier.extract import extract
from verifier.family import member
from verifier.models import Finding, Look
from verifier.read import read_text
from verifier.rules import Context, Rule

DAY = date(2026, 9, 27)


def look(citation: str, outcome: str = "found", at: str = "2026-09-20T10:00:00+00:00", reason: str | None = None, **facts: Any) -> Look:
    raw = {"citation": citation, "url": "u", "outcome": outcome, "fetched_at": at, "facts": facts, "reason": reason}
    return Look.model_validate(raw)


def judged(kind: str, text: str, *looks: Look, day: date = DAY, **spec: Any) -> list[Finding]:
    evidence: dict[str, tuple[Look, ...]] = {}
    for one in looks:
        evidence[one.citation] = (*evidence.get(one.citation, ()), one)
    document = read_text(text, "b.md")
    rule = Rule(
        id="X1", slug="x", kind=kind, severity="medium", opens="discrepancy", version="1", title={}, why="w", fix="f", when=lambda c: True, spec=spec
    )
    return list(member("verifier.rules", kind).judge(rule, Context(document, extract(document), evidence, day)))


def verdicts(kind: str, text: str, *looks: Look, **spec: Any) -> list[str]:
    return [finding.verdict for finding in judged(kind, text, *looks, **spec)]


def release(repo: str, tag: str, published: str, **facts: Any) -> Look:
    return look(f"github:{repo}@{tag}", tag=tag, version=tag.lstrip("v"), published=f"{published}T10:00:00Z", date=published, **facts)
