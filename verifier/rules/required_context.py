"""Conditions that a figure must state. One finding for each document and cause, not for each line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.extract.statements import Statements
from verifier.lexicon import load
from verifier.models import Claim, Finding
from verifier.rules._base import Context, Rule, finding


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`conditions`: those that must be stated. Parts that exist in one form only need no form factor."""
    needed: list[str] = list(rule.spec.get("conditions", ()))
    fails: dict[tuple[str, ...], list[Claim]] = {}
    for claim in context.claims:
        if not rule.when(claim):
            continue
        missing = [c for c in needed if not _given(c, claim) and not _exempt(c, claim)]
        part = claim.conditions["accelerator"].value if "accelerator" in claim.conditions else ""
        missing = [c for c in missing if not (part and _stated(context, c, part))]
        if missing:
            fails.setdefault((part, *missing), []).append(claim)
        else:
            yield finding(rule, context, "pass", [claim], "states its conditions", "条件齐全")
    for (part, *missing), claims in fails.items():
        named = ", ".join(m.replace("_", " ") for m in missing)
        yield finding(
            rule, context, "fail", claims[:6], f"{part or 'the figure'}: {named} not stated for {len(claims)} figure(s), such as {claims[0].text}",
            f"{part or '该数字'} 未注明 {named}（{len(claims)} 处，如 {claims[0].text}）", working=[f"missing: {named}"], cause=f"{part}|{named}",
        )  # fmt: skip


def _given(condition: str, claim: Claim) -> bool:
    """Stated as one value; `SXM vs PCIe` leaves open which."""
    found = claim.conditions.get(condition)
    return found is not None and not (condition == "accelerator_form_factor" and re.search(r" vs |/", found.value))


def _exempt(condition: str, claim: Claim) -> bool:
    if condition != "accelerator_form_factor" or "accelerator" not in claim.conditions:
        return False
    forms = load().entry("accelerator", claim.conditions["accelerator"].value).get("form_factors", {})
    return len(forms) < 2


def _stated(context: Context, condition: str, part: str) -> bool:
    """Whether a caption, note or heading states it for this part; one that names several values only compares them."""
    lexicon = load()
    find = Statements(lexicon).find
    for block in context.document.blocks:
        names = lexicon.names(block.text)
        if any(n.kind == "accelerator" and n.canonical == part for n in names):
            values = {m.value for m in find(block.text, names) if m.name == condition}
            if len(values) == 1 and not any(" vs " in v or "/" in v for v in values):
                return True
    return False
