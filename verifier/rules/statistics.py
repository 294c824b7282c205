"""Better, without saying how surely: superiority without a figure, a sample size, a variance or a test."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.models import Finding, Location
from verifier.rules._about import passage
from verifier.rules._base import Context, Rule, finding

TOPIC = r"统计|显著|p-value|样本|方差|significan|variance|sample"  # what a declared entry about such a fault speaks of
BETTER = re.compile(
    r"超越(?!法)|(?:显著|明显|全面)?优于|胜过|击败|互有胜负|(?<![A-Za-z])(?:outperform(?:s|ed|ing)?|beats?|surpass(?:es|ed|ing)?|superior to|"
    r"(?:consistently|significantly) better than)(?![A-Za-z])", re.I
)  # fmt: skip
SURELY = re.compile(
    r"p[ -]?value|p\s?[<=]\s?0?\.\d|置信|显著性|标准差|方差|误差|σ|±|confidence interval|standard deviation|variance|std\b|significan(?:t|ce)|\bn\s?=\s?\d|"
    r"\d+\s?(?:trials|runs|seeds|repeats|samples|次重复|次运行|个样本|次实验)|bootstrap", re.I
)  # fmt: skip
DENIED = re.compile(r"(?:不|未|没有|难以|not|never|n't|no)\s*(?:能|会|有)?\s*$|(?:是否|若|如果|whether|if)\s*[^，,]{0,10}$", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """One finding a document; a passage that gives a figure or says how sure it is needs nothing more."""
    with_figure = {
        c.line for c in context.claims if c.form in ("delta", "ratio", "change", "range") or (c.form == "value" and c.unit not in ("item", "version"))
    }
    places: list[Location] = []
    for block in context.document.blocks:
        if block.kind not in ("paragraph", "bullet") or SURELY.search(block.text) or with_figure & set(range(block.line, block.end_line + 1)):
            continue
        for found in BETTER.finditer(block.text):
            if not DENIED.search(block.text[max(0, found.start() - 12) : found.start()]):
                places.append(context.at(*passage(context, block.start + found.start(), block.start + found.end(), 40)))
                break
    if places:
        lines = ", ".join(str(p.line) for p in places[:6])
        yield finding(rule, context, "fail", places[:6], f"superiority without figure, sample size or test: “{places[0].text}” in line {lines}",
                      f"只称更优，未给数字、样本量或显著性：“{places[0].text}”（第 {lines} 行）", working=["none of n, variance, confidence, p-value stated"],
                      cause="superiority")  # fmt: skip
