"""A restatement that lost or gained: a bound, a hedge, an end of a range, the thing it was said of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from verifier.models import Claim, Finding
from verifier.rules._about import about, alike, unlike
from verifier.rules._base import Context, Rule, figure, finding
from verifier.rules._words import lines, lines_zh, told

TOPIC = r"复述|上限|可达|推测|归属|夸大|restate|hedge|bound|overstat"  # what a declared entry about such a fault speaks of
HEDGED = re.compile(r"(?P<hedge>可能是|或为|疑似|似乎|看起来|推测|possibly|presumably|seems to be|may be)\s*(?P<said>[^。；;，,、·（）()\n|]{8,60})")
FEW = 8  # mentions of one owner that are held against those of another; more say the same again
ATTACHED = re.compile(r"(?:可能|或许|预计|看起来|似乎|约莫|reportedly|may|might|could)\s*[^。；;，,\n]{0,12}$", re.I)


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check` names what was lost; see CHECKS."""
    return CHECKS[rule.spec["check"]](rule, context)


def _alike(context: Context, claim: Claim) -> list[Claim]:
    """Other blocks' claims of the same number and unit whose passage speaks of the same thing."""
    theme = about(context, claim)
    same = (c for c in context.figures[figure(claim)] if c.line != claim.line)
    return [c for c in same if alike(theme, about(context, c)) and not unlike(context, claim, c)]


def _bound(rule: Rule, context: Context) -> Iterator[Finding]:
    """`up to 70%` that elsewhere is 70%."""
    seen: set[str] = set()
    for claim in context.claims:
        if claim.bound != "max" or claim.unit not in ("percent", "x") or claim.id in seen:
            continue
        same = _alike(context, claim)
        flat = [c for c in same if c.bound is None and c.cell is None]
        seen.update(c.id for c in same)
        yield finding(
            rule, context, "fail" if flat else "pass", [claim, *flat][:10], f"up to {claim.text} (line {claim.line}) is flat {claim.text} in line {lines(flat)}",
            f"第 {claim.line} 行为“最高 {claim.text}”，{lines_zh(flat)}去掉了上限", working=[f"line {c.line}: bound {c.bound or 'lost'}" for c in [claim, *flat]],
            expected=f"up to {claim.text}", observed=claim.text, cause=f"{claim.metric}|{claim.text}",
        )  # fmt: skip


def _hedge(rule: Rule, context: Context) -> Iterator[Finding]:
    """`可能缩减至 1-4%` that elsewhere is plain `1-4%`."""
    text = context.document.text
    seen: set[str] = set()
    for claim in context.claims:
        if claim.id in seen or not ATTACHED.search(text[max(0, claim.start - 24) : claim.start]):
            continue
        same = [c for c in _alike(context, claim) if c.line > claim.line]
        plain = [c for c in same if not c.hedge]
        seen.update(c.id for c in same)
        yield finding(
            rule, context, "fail" if plain else "pass", [claim, *plain][:6],
            f"{claim.text} is hedged in line {claim.line} and stated as fact in line {lines(plain)}",
            f"{claim.text} 在第 {claim.line} 行为推测，{lines_zh(plain)}写成事实", working=[f"lost: {claim.hedge or 'hedge'}"], cause=f"hedge|{claim.text}",
        )  # fmt: skip


def _phrase(rule: Rule, context: Context) -> Iterator[Finding]:
    """A conjecture (`可能是 X`) that returns word for word without its hedge."""
    text = context.document.text
    for found in HEDGED.finditer(text):
        said = found["said"].strip()
        core = said[: max(8, len(said) - 2)]
        if len(re.findall(r"[\u4e00-\u9fff]", core)) < 4 and len(re.findall(r"\b[a-z]{3,}", core)) < 4:
            continue  # a mere name
        at = found.start("said")
        again = [m.start() for m in re.finditer(re.escape(core), text) if m.start() != at]
        plain = [
            place for place in again if not re.search(r"可能|或为|疑似|似乎|看起来|推测|possibl|presum|seems|may ", text[max(0, place - 16) : place])
        ]
        if not plain:
            continue
        places = [context.at(found.start(), found.end()), *(context.at(p, p + len(core)) for p in plain[:5])]
        working = f"line {places[0].line}: {found['hedge']} {core}; line {lines(places[1:])}: {core}"
        zh = f"第 {places[0].line} 行“{found['hedge']} {core}”，{lines_zh(places[1:])}只剩“{core}”"
        yield finding(rule, context, "fail", places, f"a conjecture is repeated as fact: {working}", f"推测被写成事实：{zh}", working=[working],
                      cause=f"phrase|{core}")  # fmt: skip


def _range(rule: Rule, context: Context) -> Iterator[Finding]:
    """`60–85%` that elsewhere is 85%."""
    spans = [c for c in context.claims if c.low is not None and c.high is not None and c.unit in ("percent", "x")]
    for span in spans:
        theme = about(context, span)
        known = [c for end in (span.low, span.high) for c in context.figures.get((span.unit, end), ())]
        ends = [c for c in known if c.line != span.line and isinstance(c.value, float) and c.bound is None and alike(theme, about(context, c))
                and not unlike(context, span, c)]  # fmt: skip
        if ends:
            yield finding(
                rule, context, "fail", [span, *ends][:8], f"{span.text} (line {span.line}) has become {ends[0].text} in line {lines(ends)}",
                f"第 {span.line} 行的区间 {span.text} 在{lines_zh(ends)}只剩 {ends[0].text}", working=[f"{span.text} → {ends[0].text}"], expected=span.text,
                observed=ends[0].text, cause=f"{span.metric}|{span.text}",
            )  # fmt: skip


def _moved(rule: Rule, context: Context) -> Iterator[Finding]:
    """A range said of one system that returns, in like words, said of another."""
    spans = [c for c in context.claims if c.low is not None and c.high is not None and c.cell is None]
    seen: set[tuple[str | None, str | None]] = set()
    for one, two in _pairs(context, spans):
        a, b = _owner(context, one), _owner(context, two)
        if not a or not b or a == b or (a, b) in seen or not alike(about(context, one), about(context, two)):
            continue
        seen.add((a, b))
        later = [c for c in spans if c.line > two.line and figure(c) == figure(two) and alike(about(context, two), about(context, c))]
        working, _ = told([(one.line, f"{one.text} of {a}"), (two.line, f"{two.text} of {b}")])
        zh = f"同一数字 {one.text} 先后归于两个系统：第 {one.line} 行归 {a}，第 {two.line} 行归 {b}"
        yield finding(rule, context, "fail", [one, two, *later][:6], f"one figure, said of two systems: {working}", zh,
                      working=[working], expected=a, observed=b, cause=f"moved|{one.text}")  # fmt: skip


def _pairs(context: Context, spans: list[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Pairs of one range on two lines, of two owners; of each owner the first on its own and the next on another line."""
    groups: dict[tuple[object, ...], dict[str | None, list[Claim]]] = {}
    for span in spans:
        mine = groups.setdefault((span.unit, span.low, span.high), {}).setdefault(_owner(context, span), [])
        if len(mine) < FEW:
            mine.append(span)
    for owners in groups.values():
        for (_, ones), (_, twos) in combinations(owners.items(), 2):
            for one in ones:
                for two in twos:
                    if one.line != two.line:
                        yield (one, two) if one.start < two.start else (two, one)


def _owner(context: Context, claim: Claim) -> str | None:
    """The system named last before a figure in its own block."""
    block = context.block(claim.start)
    if block is None:
        return None
    names = [n for n in context.names(block) if n.kind in ("engine", "project", "model") and n.end <= claim.start - block.start]
    return names[-1].canonical if names else None


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {
    "bound": _bound, "hedge": _hedge, "phrase": _phrase, "range": _range, "moved": _moved,
}  # fmt: skip
