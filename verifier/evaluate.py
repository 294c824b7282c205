"""(rules, document, claims, evidence, day, candidates) -> Findings; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from verifier.family import member
from verifier.models import Claim, Document, Finding, Look
from verifier.rules import Context, Rule, fact, suppressions


def evaluate(
    rules: Sequence[Rule],
    document: Document,
    claims: Sequence[Claim],
    evidence: Mapping[str, tuple[Look, ...]],
    as_of: date,
    candidates: Sequence[Claim] = (),
) -> list[Finding]:
    """Every rule's findings in order of place; suppressed ones stay, marked with their reason."""
    context = Context(document, claims, evidence, as_of, candidates)
    briefing = bool(document.structure.increments or document.structure.discrepancies or document.structure.executor)
    asked = ("briefing", None) if briefing else (None,)  # a primary source is its own origin; many documents together are a scan's
    due = [rule for rule in rules if not rule.retired and rule.spec.get("documents") in asked]
    found = [f for rule in due for f in member("verifier.rules", rule.kind).judge(rule, context)]
    told = {s.rule: s.told for s in suppressions(document.text) if s.holds(as_of)}
    ignored = {rule.id: told[name] for rule in due for name in rule.names if name in told}
    marked = [f.model_copy(update={"suppressed": ignored[f.rule]}) if f.rule in ignored else f for f in found]
    return sorted(_once(marked), key=lambda f: (f.locations[0].line, f.rule, f.fingerprint))


def _once(found: Sequence[Finding]) -> list[Finding]:
    """Failing findings of one fact by several rules share the cause of the first rule's: they are one record's."""
    causes: dict[str, str] = {}
    for one in sorted((f for f in found if f.verdict == "fail" and not f.note and not f.suppressed), key=lambda f: f.rule):
        if shared := fact(one):
            causes.setdefault(shared, one.cause)
    return [f.model_copy(update={"cause": causes[shared]}) if f.verdict == "fail" and (shared := fact(f)) in causes else f for f in found]
