"""What a figure must be stated with. One finding for each passage of a document and cause, not for each line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.extract.statements import Statements
from verifier.lexicon import load
from verifier.models import Claim, Finding, Location
from verifier.rules._base import Context, Rule, block_of, finding

TOPIC = r"SXM|PCIe|型号|未注明|未说明|未标|缺失|缺少|口径|基线|not stated|unstated|missing"  # what a declared entry about such a fault speaks of
SHOWN = 6


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`conditions` of the claim, fields (`baseline`, `statistic`) and `words` (label: pattern, in the claim's block) that must be there.

    `near`: a pattern beside the figure without which the rule is not about it; `allow`: how many may be missing.
    Several claims of one accelerator (else of one section) are one finding; a figure that has its
    context elsewhere needs none where it is restated.
    """
    spec = rule.spec
    needed = [*spec.get("conditions", ()), *spec.get("fields", ())]
    words = {label: re.compile(pattern, re.I) for label, pattern in spec.get("words", {}).items()}
    near = re.compile(spec["near"], re.I) if "near" in spec else None
    stated: set[tuple[object, ...]] = set()
    fails: dict[str, list[tuple[Claim, list[str]]]] = {}
    for claim in context.claims:
        block = block_of(context, claim)
        if block is None or not rule.when(claim) or claim.scope == "document" or claim.line in context.flagged:
            continue
        if near and not near.search(block.text[max(0, claim.start - block.start - 60) : claim.end - block.start + 40]):
            continue
        part = claim.conditions["accelerator"].value if "accelerator" in claim.conditions else ""
        missing = [c for c in needed if not _given(c, claim) and not _exempt(c, claim) and not (part and _stated(context, c, part))]
        missing += [label for label, pattern in words.items() if not pattern.search(block.text)]
        if len(missing) <= spec.get("allow", 0):
            stated.add((claim.unit, *claim.numbers))
            yield finding(rule, context, "pass", [claim], "states its conditions", "条件齐全")
        else:
            fails.setdefault(part or claim.section, []).append((claim, missing))
    for found in fails.values():
        lacking = [(c, m) for c, m in found if (c.unit, *c.numbers) not in stated]
        if not lacking:
            continue
        claims = [c for c, _ in lacking]
        missing = list(dict.fromkeys(name for _, names in lacking for name in names))
        accelerator = claims[0].conditions.get("accelerator")
        about = accelerator.value if accelerator else claims[0].subject
        named = ", ".join(m.replace("_", " ") for m in missing)
        at: list[Claim | Location] = list(claims[:SHOWN])
        if accelerator and accelerator.line != claims[0].line:
            at.insert(0, context.line(accelerator.line))  # where the setup is told is where it can be mended
        yield finding(
            rule, context, "fail", at, f"{about or 'the figure'}: {named} not stated for {len(claims)} figure(s), such as {claims[0].text}",
            f"{about or '该数字'} 未注明 {named}（{len(claims)} 处，如 {claims[0].text}）", working=[f"missing: {named}"], cause=f"{about}|{named}",
        )  # fmt: skip


def _given(name: str, claim: Claim) -> bool:
    """Stated as one value; `SXM vs PCIe` leaves open which."""
    found = claim.conditions.get(name)
    if found is None:
        return bool(getattr(claim, name, None))
    return not (name == "accelerator_form_factor" and re.search(r" vs |/", found.value))


def _exempt(condition: str, claim: Claim) -> bool:
    if condition != "accelerator_form_factor" or "accelerator" not in claim.conditions:
        return False
    forms = load().entry("accelerator", claim.conditions["accelerator"].value).get("form_factors", {})
    return len(forms) < 2


def _stated(context: Context, condition: str, part: str) -> bool:
    """Whether a caption, note or heading states it for this part; one that names several values only compares them."""
    key = (condition, part)
    if key not in context.memo:
        find = Statements(load()).find
        context.memo[key] = False
        for block in context.document.blocks:
            names = context.names(block)
            if any(n.kind == "accelerator" and n.canonical == part for n in names):
                values = {m.value for m in find(block.text, names) if m.name == condition}
                if len(values) == 1 and not any(" vs " in v or "/" in v for v in values):
                    context.memo[key] = True
                    break
    return bool(context.memo[key])
