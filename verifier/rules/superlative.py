"""唯一, 首个, first, only, fastest: a claim about everything else needs a scope, a date and somebody independent."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.models import Finding, Location
from verifier.rules._base import Context, Rule, finding
from verifier.rules._words import told

TOPIC = r"唯一|首个|最高级|superlative|first|only"  # what a declared entry about such a fault speaks of
MOST = re.compile(
    r"唯一(?:的)?(?!标识|性|ID|id)|首个|首创|全球首|业界(?:首|最)|最完整|最快的|(?<![A-Za-z])(?:the (?:world's )?(?:first|only|fastest|most complete)(?: ever)? "
    r"(?:\w+[ -]){0,3}?(?:system|engine|framework|platform|library|stack|solution|project|implementation|inference|serving|model|open[- ]source)"
    r"|state[- ]of[- ]the[- ]art|best[- ]in[- ]class|industry[- ]leading|world's (?:first|fastest))(?![A-Za-z])", re.I
)  # fmt: skip
SCOPED = re.compile(
    r"20\d\d[-年/. ]?(?:\d|Q|H)|截至|as of|among|之中|in (?:our|this) (?:test|benchmark|comparison)|据|according to|arXiv|https?://|\[\d+\]", re.I
)
DENIED = re.compile(r"(?:并非|不是|非|not|never|no longer|n't)\s*(?:the\s*)?$", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """One finding a document, at the first passage of each superlative that names neither date, comparison set nor source."""
    places: dict[str, Location] = {}
    for block in context.document.blocks:
        if block.kind not in ("paragraph", "bullet"):
            continue
        for found in MOST.finditer(block.text):
            near = block.text[max(0, found.start() - 100) : found.end() + 100]
            if not SCOPED.search(near) and not DENIED.search(block.text[max(0, found.start() - 12) : found.start()]):
                places.setdefault(found[0].lower(), context.at(block.start + found.start(), block.start + found.end()))
                break
    if places:
        said, zh = told((p.line, p.text) for p in list(places.values())[:6])
        yield finding(rule, context, "fail", list(places.values())[:6], f"superlative without scope, date or source: {said}", f"最高级未注明范围、时点或来源：{zh}",
                      working=[said], cause="superlative")  # fmt: skip
