"""What a figure must be stated with. One finding for each passage of a document and cause, not for each line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.extract.statements import Statements
from verifier.lexicon import load
from verifier.models import Claim, Finding, Location
from verifier.rules._base import Context, Rule, block_of, figure, finding
from verifier.rules._suppressions import suppressions

TOPIC = r"SXM|PCIe|型号|未注明|未说明|未标|缺失|缺少|口径|基线|not stated|unstated|missing"  # what a declared entry about such a fault speaks of
SHOWN = 6


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """What `check` asks for: `claims`, unless it says otherwise; see CHECKS."""
    return CHECKS[rule.spec.get("check", "claims")](rule, context)


def _claims(rule: Rule, context: Context) -> Iterator[Finding]:
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
        if not rule.when(claim) or claim.scope == "document" or claim.line in context.flagged:
            continue
        block = block_of(context, claim)
        if block is None:
            continue
        if near and not near.search(block.text[max(0, claim.start - block.start - 60) : claim.end - block.start + 40]):
            continue
        part = claim.conditions["accelerator"].value if "accelerator" in claim.conditions else ""
        missing = [
            c
            for c in needed
            if not _given(c, claim) and not _exempt(c, claim) and not (part and c.startswith("accelerator") and _stated(context, c, part))
        ]
        missing += [label for label, pattern in words.items() if not pattern.search(block.text)]
        if len(missing) <= spec.get("allow", 0):
            stated.add((claim.unit, *claim.numbers))
            yield finding(rule, context, "pass", [claim], "states its conditions", "条件齐全")
        else:
            fails.setdefault(part or claim.section, []).append((claim, missing))
    for found in _merged(fails):
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


def _merged(groups: dict[str, list[tuple[Claim, list[str]]]]) -> Iterator[list[tuple[Claim, list[str]]]]:
    """Groups, those told again in another place joined to the first: a group whose every figure stands in an earlier one."""
    out: list[list[tuple[Claim, list[str]]]] = []
    for group in groups.values():
        figures = {figure(c) for c, _ in group}
        home = next((g for g in out if figures <= {figure(c) for c, _ in g} or {figure(c) for c, _ in g} <= figures), None)
        if home is None:
            out.append(list(group))
        else:
            home.extend(group)
    return iter(out)


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


def _suppression(rule: Rule, context: Context) -> Iterator[Finding]:
    """A comment that asks for silence must say why, who asks, and until when; one whose day has passed is to go."""
    for found in suppressions(context.document.text):
        at, said = context.at(found.start, found.end), f"ignore={found.rule}"
        if found.missing:
            lacks = ", ".join(found.missing)
            yield finding(rule, context, "fail", [at], f"{said} without {lacks}: it suppresses nothing", f"{said} 缺少 {lacks}，不生效", working=[f"missing: {lacks}"],
                          cause=f"suppression|{found.rule}")  # fmt: skip
        elif not found.holds(context.as_of):
            yield finding(rule, context, "fail", [at], f"{said} ran out on {found.until}: what it hid is back", f"{said} 已于 {found.until} 到期，相关发现重新出现",
                          working=[f"until {found.until} < {context.as_of}"], cause=f"suppression|{found.rule}")  # fmt: skip
        else:
            yield finding(rule, context, "pass", [at], f"{said}: {found.told}", f"{said}：{found.told}", cause=f"suppression|{found.rule}")


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {"claims": _claims, "suppression": _suppression}
