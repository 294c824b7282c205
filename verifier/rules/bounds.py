"""A value outside what is possible. Refute only when no value that the rounding allows is inside the bounds."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.models import Claim, Finding
from verifier.rules._base import Context, Rule, finding

TOPIC = r"口径|分母|超过|超出|不可能|denominator|exceed|impossible|more than the whole"  # what a declared entry about such a fault speaks of


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """One finding for each metric and value of a document; its restatements are further places of it."""
    low, high = rule.spec.get("low", float("-inf")), rule.spec.get("high", float("inf"))
    causes: dict[tuple[object, ...], list[Claim]] = {}
    for claim in context.claims:
        if claim.form not in ("value", "range", "change") or not claim.interval or not rule.when(claim):
            continue
        if not any(i.low > high or i.high < low for i in claim.interval):
            yield finding(rule, context, "pass", [claim], f"{claim.text} is possible", f"{claim.text} 在可能范围内")
        elif claim.line not in context.flagged:
            causes.setdefault((claim.metric, *claim.numbers), []).append(claim)
    for claims in causes.values():
        working = f"{claims[0].text}: allowed {low:g}..{high:g} {claims[0].unit}"
        yield finding(
            rule, context, "fail", claims[:6], f"{rule.title['en']}: {working}", f"{rule.title['zh']}：{working}", working=[working],
            expected=f"{low:g}..{high:g} {claims[0].unit}", observed=claims[0].text,
        )  # fmt: skip
