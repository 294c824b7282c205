"""Conditions that a figure must state. One finding for each document and cause, not for each line."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.extract.conditions import CONDITIONS
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
        missing = [c for c in needed if c not in claim.conditions and not _exempt(c, claim)]
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


def _exempt(condition: str, claim: Claim) -> bool:
    if condition != "accelerator_form_factor" or "accelerator" not in claim.conditions:
        return False
    forms = load().entry("accelerator", claim.conditions["accelerator"].value).get("form_factors", {})
    return len(forms) < 2


def _stated(context: Context, condition: str, part: str) -> bool:
    """Whether a caption, note or heading states it for this part; one that names several values only compares them."""
    pattern = CONDITIONS.get(condition)
    if pattern is None:
        return False
    for block in context.document.blocks:
        values = {next(filter(None, m.groups()), "") for m in pattern.finditer(block.text)}
        if len(values) == 1 and any(n.kind == "accelerator" and n.canonical == part for n in load().names(block.text)):
            return True
    return False
