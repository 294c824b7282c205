"""(rules, document, claims, evidence, day) -> Findings; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from verifier.family import member
from verifier.models import Claim, Document, Finding, Look
from verifier.rules import Context, Rule

SUPPRESS = re.compile(r"<!--\s*verify:\s*ignore=(?P<rule>[\w-]+)(?P<rest>[^>]*?)-->")


def evaluate(
    rules: Sequence[Rule], document: Document, claims: Sequence[Claim], evidence: Mapping[str, tuple[Look, ...]], as_of: date
) -> list[Finding]:
    """Every rule's findings in order of place; suppressed ones stay, marked with their reason."""
    context = Context(document, claims, evidence, as_of)
    briefing = bool(document.structure.increments or document.structure.discrepancies or document.structure.executor)
    due = [rule for rule in rules if briefing or rule.spec.get("documents") != "briefing"]  # a primary source is its own origin
    found = [f for rule in due for f in member("verifier.rules", rule.kind).judge(rule, context)]
    ignored = _suppressions(document.text, as_of)
    marked = [f.model_copy(update={"suppressed": ignored[f.rule]}) if f.rule in ignored else f for f in found]
    return sorted(marked, key=lambda f: (f.locations[0].line, f.rule, f.fingerprint))


def _suppressions(text: str, as_of: date) -> dict[str, str]:
    """{rule: reason} of the suppressions that are complete and not expired."""
    out = {}
    for found in SUPPRESS.finditer(text):
        fields = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', found["rest"]))
        fields = {k: v.strip('"') for k, v in fields.items()}
        try:
            alive = date.fromisoformat(fields.get("until", "")) >= as_of
        except ValueError:
            alive = False
        if alive and fields.get("by") and fields.get("reason"):
            out[found["rule"]] = f"{fields['reason']} ({fields['by']}, until {fields['until']})"
    return out
