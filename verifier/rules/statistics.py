"""Said of how sure a comparison is: better, mixed or so many per cent, without sample, spread or method."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.models import Finding, Location
from verifier.rules._about import passage
from verifier.rules._base import Context, Rule, finding
from verifier.rules._words import lines, lines_zh, short

TOPIC = r"统计|显著|p-value|样本|方差|significan|variance|sample"  # what a declared entry about such a fault speaks of
DENIED = re.compile(r"(?:不|未|没有|难以|not|never|n't|no)\s*(?:能|会|有)?\s*$|(?:是否|若|如果|whether|if)\s*[^，,]{0,10}$", re.I)
SURELY = (
    r"p[ -]?value|p\s?[<=]\s?0?\.\d|置信|显著性|标准差|方差|误差|σ|±|confidence interval|standard deviation|variance|std(?![a-z])|significan(?:t|ce)|"
    r"(?<![a-z])n\s?=\s?\d|\d+\s?(?:trials|runs|seeds|repeats|samples|次重复|次运行|个样本|次实验)|bootstrap"
)
FORMS = ("delta", "ratio", "change", "range")


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`says`: what is told; `unless`: what beside it in the block makes it sure (a sample, a spread or a test); `figures`: whether a figure there settles it;
    `with`: a pattern that the block must hold too. One finding a document, with its passages."""
    says, sure = re.compile(rule.spec["says"], re.I), re.compile(rule.spec.get("unless", SURELY), re.I)
    beside = re.compile(rule.spec["with"], re.I) if "with" in rule.spec else None
    figures = _figures(context) if rule.spec.get("figures", False) else frozenset()
    places: list[Location] = []
    for block in context.document.blocks:
        if block.kind not in ("paragraph", "bullet") or block.line in context.flagged or beside and not beside.search(block.text):
            continue
        told = next((m for m in says.finditer(block.text) if not DENIED.search(block.text[max(0, m.start() - 12) : m.start()])), None)
        if told is None:
            continue
        at = context.at(*passage(context, block.start + told.start(), block.start + told.end()))
        if sure.search(block.text) or figures & set(range(block.line, block.end_line + 1)):
            yield finding(rule, context, "pass", [at], "says how sure it is", "已给统计依据", cause=f"sure|{block.line}")
            continue
        places.append(at)
    if places:
        said = short(places[0].text.strip(" •\n"), 90)
        yield finding(rule, context, "fail", places[:6], f"{rule.title['en']}: “{said}” in line {lines(places[:6])}",
                      f"{rule.title['zh']}：“{said}”（{lines_zh(places[:6])}）", working=[f"line {p.line}: {p.text}" for p in places[:6]],
                      cause=rule.spec.get("cause", rule.slug))  # fmt: skip


def _figures(context: Context) -> frozenset[int]:
    """Lines that hold a measured figure."""
    return frozenset(c.line for c in context.claims if c.form in FORMS or (c.form == "value" and c.unit not in ("item", "version")))
