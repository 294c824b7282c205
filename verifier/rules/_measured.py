"""What is measured and what only stands there: settings, timeouts, banners; and what a figure has from those that it follows from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations

from verifier.models import Block, Claim, Condition
from verifier.rules._base import Context

LINK = re.compile(r"\[(?P<text>[^\]]*)\]\([^)\s]*\)")
SET_BEFORE = re.compile(
    r"(?:defaults?(?: to| is| of|:|=)?|默认(?:值)?(?:为|是)?|time-?out(?: of| is|:|=)?|超时(?:时间)?(?:为|设为)?|TTL|deadline|duration(?: of)?|时长(?:为)?|interval(?: of)?|每隔|every"
    r"|(?:sent|running?|runs|lasts?|sustained|ran|wait(?:ing|s)?|sleep(?:ing|s)?) for|(?:运行|持续|压测|等待)(?:了)?)\W{0,4}(?:about |约)?$", re.I
)  # fmt: skip
SET_AFTER = re.compile(r"\W{0,3}(?:time-?out|deadline|warm-?up|window|interval|TTL|by default|default|超时|默认|预热|窗口|间隔)", re.I)
SLASH = re.compile(r"[+*]*\s*/\s*[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,2}\s*[~≈约*]*\s*")
FEW = 12  # plain figures of one block that are tried as operands


def is_setting(context: Context, claim: Claim) -> bool:
    """A default, a time-out, how long a run was kept up: chosen, not measured."""
    text = context.document.text
    return SET_BEFORE.search(text[max(0, claim.start - 30) : claim.start]) is not None or SET_AFTER.match(text, claim.end) is not None


def is_link(block: Block, claim: Claim) -> bool:
    """What is printed as a link announces another page's figure."""
    at = claim.start - block.start
    return any(m.start("text") <= at < m.end("text") for m in LINK.finditer(block.text))


def memory_of(context: Context, part: str) -> tuple[float | None, str | None]:
    """Size and type of a part's memory as written behind its name (`H100 80GB HBM3`), where the document gives one only."""
    key = ("memory", part)
    if key not in context.memo:
        written = re.compile(
            rf"(?<![A-Za-z0-9]){re.escape(part)}(?:[\s-]{{1,2}}(?P<size>\d+)\s?Gi?B)?[\s-]{{1,2}}(?P<type>HBM\d[a-z]?|GDDR\d\w?)(?![A-Za-z0-9])", re.I
        )
        said = {(float(m["size"]) if m["size"] else None, m["type"].upper()) for m in written.finditer(context.document.text)}
        context.memo[key] = said.pop() if len(said) == 1 else (None, None)
    return context.memo[key]  # type: ignore[return-value]


def inherited(context: Context, claim: Claim, block: Block) -> Mapping[str, Condition]:
    """Its conditions, with those of the first of its row (`H100 SXM: A 3,400 / B 2,900 / C 2,800`) and of the figures that it is the ratio of."""
    before = [c for c in context.claims_within(block.start, claim.start) if c.end <= claim.start]
    first = claim
    for other in reversed(before):
        if other.unit != claim.unit or not SLASH.fullmatch(context.document.text, other.end, first.start):
            break
        first = other
    return {**_operands(context, claim, block), **first.conditions, **claim.conditions}


def _operands(context: Context, claim: Claim, block: Block) -> Mapping[str, Condition]:
    """Conditions that a percentage or factor has from two figures of its block whose ratio it is, where both share them."""
    if claim.unit not in ("percent", "x") or not isinstance(claim.value, float) or not claim.interval:
        return {}
    plain = [c for c in context.claims_within(block.start, block.end) if c.form == "value" and c.interval and c.unit not in ("percent", "x", "item")]
    share = abs(claim.value)
    for one, two in permutations(plain[:FEW], 2):
        if one.unit != two.unit or not isinstance(one.value, float) or not isinstance(two.value, float) or two.value <= 0:
            continue
        ratio = one.value / two.value
        given = 100 * abs(ratio - 1) if claim.unit == "percent" else ratio
        if share and abs(given - share) <= 0.02 * share:
            return {n: c for n, c in one.conditions.items() if n in two.conditions and two.conditions[n].value == c.value}
    return {}
