"""A factor that lowers: `-46×` and `降低 46×` are no quantities; say `to 1/46` or `−97.8 %`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.models import Claim, Finding
from verifier.rules._base import Context, Rule, finding

LOWERED = re.compile(r"(?:降低|下降|减少|缩短|reduced by|lowered by|decreased by)\s*(?:了|约|达|~)?\s*\**$", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """One finding for each metric and factor of a document; its restatements are further places of it."""
    causes: dict[tuple[object, ...], list[Claim]] = {}
    for claim in context.claims:
        if claim.form != "ratio" or not rule.when(claim) or not isinstance(claim.value, float):
            continue
        before = context.document.text[max(0, claim.start - 14) : claim.start]
        if claim.text[0] in "-−" or LOWERED.search(before):
            causes.setdefault((claim.metric, claim.value), []).append(claim)
        else:
            yield finding(rule, context, "pass", [claim], "a factor without a sign", "无符号的倍数")
    for (metric, value), claims in causes.items():
        percent = 100 * (1 - 1 / abs(float(str(value)))) if value else 0.0
        working = f"to 1/{abs(float(str(value))):g} = −{percent:.1f} %"
        yield finding(
            rule, context, "fail", claims[:6], f"{claims[0].text}: nothing is lowered by a factor; probably meant: {working}",
            f"{claims[0].text}：倍数不能用来表示降低；或指 {working}", working=[working], expected=working, observed=claims[0].text,
            cause=f"{metric}|{value}",
        )  # fmt: skip
