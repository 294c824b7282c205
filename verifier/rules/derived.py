"""A stated ratio must be one that the rounding of its operands allows: `198.3 vs 38.5 tok/s = 5.15×`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.models import Claim, Finding
from verifier.rules._base import Context, Rule, finding

EQUALS = re.compile(r"\s*(?:=|＝|，即|, i\.e\.,?|（|\(|, or|,|，)\s*(?:提升|提升了|约|~|a\s)?\s*\**$")
BETWEEN = re.compile(r"\s*\**\s*(?:vs\.?|versus|对比|对|/|→)\s*\**\s*(?:[A-Za-z][\w.-]*\s*)?[~约]?\s*$")


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """Two plain values of one unit, then `=` and a factor."""
    by_line: dict[int, list[Claim]] = {}
    for claim in context.claims:
        by_line.setdefault(claim.line, []).append(claim)
    for claims in by_line.values():
        for place, result in enumerate(claims):
            if result.form == "ratio" and isinstance(result.value, float) and rule.when(result) and place >= 2:
                yield from _ratio(rule, context, claims[place - 2], claims[place - 1], result)


def _ratio(rule: Rule, context: Context, a: Claim, b: Claim, result: Claim) -> Iterable[Finding]:
    text = context.document.text
    if a.form != "value" or b.form != "value" or a.unit != b.unit or not (a.interval and b.interval and result.interval):
        return
    if not BETWEEN.fullmatch(text[a.end : b.start]) or not EQUALS.fullmatch(text[b.end : result.start]):
        return
    x, y, z = a.interval[0], b.interval[0], result.interval[0]
    if min(x.low, y.low) <= 0:
        return
    options = ((x.low / y.high, x.high / y.low, a, b), (y.low / x.high, y.high / x.low, b, a))
    holds = any(low <= z.high and z.low <= high for low, high, _, _ in options)
    _, _, top, bottom = max(options, key=lambda o: o[0])
    quotient = float(top.value) / float(bottom.value)  # type: ignore[arg-type]
    working = f"{top.value:g} / {bottom.value:g} = {quotient:.4g} → {result.text} {'holds' if holds else 'does not hold'}"
    yield finding(
        rule, context, "pass" if holds else "fail", [result, a, b],
        f"{result.text} does not follow from {a.text} and {b.text}: {working}" if not holds else working,
        f"{a.text} 与 {b.text} 推不出 {result.text}：{working}" if not holds else working,
        working=[working], expected=f"{quotient:.3g}x", observed=result.text,
    )  # fmt: skip
