"""What a passage is about, as words: to tell whether two mentions of a figure mean one thing."""

from __future__ import annotations

import re

from verifier.models import Claim
from verifier.rules._base import Context

LATIN = re.compile(r"[A-Za-z][A-Za-z0-9./\-]*[A-Za-z0-9]")
HAN = re.compile(r"[\u4e00-\u9fff]+")
CUT = re.compile(r"[。；;\n!?！？]|\.\s|\s[-·+|]\s|[①-⑳]")
SHORT = 600  # characters; longer blocks run many topics together
DULL = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "from",
        "that",
        "this",
        "are",
        "was",
        "can",
        "tok",
        "token",
        "tokens",
        "up",
        "to",
        "of",
        "at",
        "by",
        "in",
        "on",
        "is",
        "a",
        "an",
        "it",
        "its",
        "as",
        "per",
        "than",
        "over",
    ]
)
UNTOLD = frozenset(("可达", "最高", "高达", "可能", "大约", "左右", "提升", "降低", "实现"))


def passage(context: Context, start: int, end: int, reach: int = 90) -> tuple[int, int]:
    """The sentence piece around `text[start:end]`, at most `reach` characters to either side."""
    text = context.document.text
    left = max(0, start - reach)
    cuts = [m.end() for m in CUT.finditer(text, left, start)]
    right = CUT.search(text, end, min(len(text), end + reach))
    return (cuts[-1] if cuts else left), (right.start() if right else min(len(text), end + reach))


def words(text: str) -> frozenset[str]:
    """Latin words and pairs of Chinese characters, without those that say nothing."""
    found = {w.lower() for w in LATIN.findall(text)} - DULL
    for run in HAN.findall(text):
        found.update(run[i : i + 2] for i in range(len(run) - 1))
    return frozenset(found - UNTOLD)


def about(context: Context, claim: Claim) -> frozenset[str]:
    key = ("about", claim.start, claim.end)
    if key not in context.memo:
        start, end = passage(context, claim.start, claim.end)
        text = context.document.text
        context.memo[key] = words(text[start : claim.start] + " " + text[claim.end : end])
    return context.memo[key]  # type: ignore[return-value]


def alike(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two passages speak of one thing: three shared words, and a third of the shorter one."""
    shared = len(one & two)
    return shared >= 3 and shared >= 0.34 * min(len(one), len(two))


def unlike(context: Context, one: Claim, two: Claim) -> bool:
    """Whether two claims are of two models: the one named last before each, or the one a short block opens with."""
    pairs = zip(_models(context, one), _models(context, two), strict=True)
    return any(a is not None and b is not None and a != b for a, b in pairs)


def _models(context: Context, claim: Claim) -> tuple[str | None, str | None]:
    block = context.block(claim.start)
    names = context.names(block) if block else []
    before = [n.canonical for n in names if block and n.kind == "model" and n.end <= claim.start - block.start]
    short = block is not None and len(block.text) <= SHORT
    return (before[-1] if before else None, before[0] if before and short else None)
