"""Where a figure comes from: nowhere, from hearsay, from one secondary source, from a source that nobody read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.models import Claim, Finding, Location
from verifier.rules._base import Context, Rule, block_of, finding

TOPIC = r"来源|出处|原始数据|未核实|source|origin|provenance"  # what a declared entry about such a fault speaks of
STARS = re.compile(r"(?:可信度|credibility)\s*[：:]\s*(?P<stars>[★⭐]{4,5})", re.I)
UNREAD = re.compile(
    r"需读全文|需精读|未读全文|独立验证|待核|未(?:独立)?核实|需核验|to be verified|not (?:yet )?(?:verified|read)|needs? (?:independent )?verification",
    re.I,
)
SECONDARY = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*(?:csdn\.net|substack\.com|medium\.com|zhihu\.com|juejin\.cn|dev\.to|towardsdatascience\.com|toutiao\.com)[^\s）)】]*"
)
PRIMARY = re.compile(
    r"arxiv|github\.com/|doi\.org|\.pdf|openreview|usenix|acm\.org|ieee|pytorch\.org|vllm\.ai|lmsys\.org|nvidia\.com|amd\.com|intel\.com|官方", re.I
)
ORIGIN = re.compile(
    r"arXiv|https?://|github|\[\d+\]|官方|论文|paper|blog|our (?:test|benchmark|measure)|we (?:measure|observe|see|find)|table|figure|表|图",
    re.I,
)
FASTER = re.compile(r"加速|提速|更快|快了|speed-?up|faster", re.I)
PAID = re.compile(r"付费(?:内容|解锁|墙|订阅)|paywall(?:ed)?|subscribers? only|members? only", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names the lack; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _unread(rule: Rule, context: Context) -> Iterator[Finding]:
    """Four stars for what the same line says has yet to be read or verified."""
    for block in context.document.blocks:
        stars, unread = STARS.search(block.text), UNREAD.search(block.text)
        if stars:
            at = context.at(block.start + stars.start(), block.start + (unread.end() if unread else stars.end()))
            said = f"{stars['stars']}, yet “{unread[0]}”" if unread else f"{stars['stars']}"
            yield finding(rule, context, "fail" if unread else "pass", [at], f"rated {said}", f"评为 {stars['stars']}，同一行却写“{unread[0] if unread else ''}”",
                          working=[said], cause=block.section[-1] if block.section else said)  # fmt: skip


def _origin(rule: Rule, context: Context) -> Iterator[Finding]:
    """A gain without condition, baseline or source in its passage, told again and again."""
    groups: dict[tuple[object, ...], list[Claim]] = {}
    origins: set[tuple[object, ...]] = set()
    gains: set[tuple[object, ...]] = set()
    for claim in context.claims:
        block = block_of(context, claim)
        if block is None or claim.line in context.flagged or claim.cell is not None or not isinstance(claim.value, float):
            continue
        at = claim.start - block.start
        near = block.text[max(0, at - 60) : at + len(claim.text) + 60]
        sourced = claim.sources or claim.baseline or ORIGIN.search(near)
        if sourced or rule.when(claim):
            groups.setdefault((abs(claim.value), claim.unit), []).append(claim)
            if sourced:
                origins.add((abs(claim.value), claim.unit))
            elif FASTER.search(block.text[max(0, at - 12) : at + len(claim.text) + 12]):
                gains.add((abs(claim.value), claim.unit))
    for figure in (f for f in groups if f in gains and f not in origins):
        same = groups[figure]
        if len({c.line for c in same}) >= int(rule.spec.get("told", 2)):
            lines = ", ".join(dict.fromkeys(str(c.line) for c in same))
            yield finding(rule, context, "fail", same[:6], f"{same[0].text} ({same[0].metric}) has no source, baseline or conditions anywhere: line {lines}",
                          f"{same[0].text}（{same[0].metric}）全文未给来源、基线与条件：第 {lines} 行", working=[f"told {len(same)} times, sourced never"],
                          cause=f"{same[0].metric}|{same[0].text}")  # fmt: skip


def _secondary(rule: Rule, context: Context) -> Iterator[Finding]:
    """An increment with measured figures whose only links are blog platforms."""
    blocks = context.document.blocks
    for part in context.document.structure.increments:
        inside = [b for b in blocks if part.line <= b.line <= part.end_line]
        text = "\n".join(b.text for b in inside)
        links = list(dict.fromkeys(m[0] for m in SECONDARY.finditer(text)))
        figures = [
            c for c in context.claims if part.line <= c.line <= part.end_line and c.unit in ("percent", "x", "token/s", "ms", "s", "GB", "request/s")
        ]
        if not links or not figures or PRIMARY.search(re.sub(r"inbox/\S+", "", text[:400])) or part.arxiv:
            continue
        at: list[Claim | Location] = [
            Location(document=context.document.path, line=part.line, end_line=part.line, text=part.title[:80]),
            *figures[:4],
        ]
        working = f"{len(figures)} figures rest on {', '.join(links[:3])}"
        yield finding(rule, context, "fail", at, f"only secondary sources: {working}", f"仅有二手来源：{working}", working=[working],
                      cause=f"secondary|{part.title[:40]}")  # fmt: skip


def _paid(rule: Rule, context: Context) -> Iterator[Finding]:
    """A source that the text itself calls paid."""
    places = [context.at(m.start(), m.end()) for m in PAID.finditer(context.document.text)]
    if places:
        yield finding(rule, context, "fail", places[:6], f"a source behind a paywall cannot be checked by its readers: {places[0].text}",
                      f"付费来源读者无从核对：{places[0].text}", working=[p.text for p in places[:6]], cause="paid")  # fmt: skip


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "unread": _unread, "origin": _origin, "secondary": _secondary, "paid": _paid,
}  # fmt: skip
