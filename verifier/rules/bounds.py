"""A value outside what is possible. Refute only when no value that the rounding allows is inside the bounds."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.models import Finding
from verifier.rules._base import Context, Rule, finding

TOPIC = r"口径|分母|超过|超出|不可能|denominator|exceed|impossible|more than the whole"  # what a declared entry about such a fault speaks of


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    low, high = rule.spec.get("low", float("-inf")), rule.spec.get("high", float("inf"))
    for claim in context.claims:
        if claim.form not in ("value", "range", "change") or not claim.interval or not rule.when(claim):
            continue
        outside = [i for i in claim.interval if i.low > high or i.high < low]
        working = f"{claim.text}: allowed {low:g}..{high:g} {claim.unit}"
        yield finding(
            rule, context, "fail" if outside else "pass", [claim], f"{rule.title['en']}: {working}", f"{rule.title['zh']}：{working}",
            working=[working], expected=f"{low:g}..{high:g} {claim.unit}", observed=claim.text,
        )  # fmt: skip
