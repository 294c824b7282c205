"""Document -> claims: every quantity of every block, bound, completed by its other tellings, and put into words of the contract."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from typing import Any, Literal, NamedTuple

from verifier.extract import wording
from verifier.extract.binding import Binder
from verifier.extract.conditions import Context
from verifier.extract.echoes import completed
from verifier.extract.held import held
from verifier.extract.numerals import numbers
from verifier.extract.opponents import defined
from verifier.extract.quantities import MONEY, Quantity
from verifier.extract.restated import shared
from verifier.lexicon import Lexicon
from verifier.models import Block, Claim, Document, Increment, Interval, Number, Source
from verifier.normalize.rounding import interval
from verifier.read import ARXIV

DRAWN = re.compile(r"[\u4e00-\u9fff].*\d+\s?(?:秒|分|毫秒|%|倍)")  # a diagram in words, not a command
WRITTEN = re.compile(r"[\d,.]+(?:[eE][-+]?\d+)?")
EXACT = frozenset(("item", "commit", "contributor", "call", "star", "point", "token", "request", "gpu", "user"))
COUNTS = frozenset(("item", "day", "h", "commit"))
OWN_WORDS = re.compile(
    r"本棒|本次|本轮|本期|本简报|增量|锚定|锚入|警示|矛盾|待核|inbox|arXiv\s?(?:ID|号)|棒位|主棒|窗口|缺口|沿用|来源|立标|入库|net-new|扫描|this (?:briefing|report|digest|issue)",
    re.I,
)


class Draft(NamedTuple):
    """A quantity and the block it stands in."""

    block: Block
    quantity: Quantity
    cited: tuple[Source, ...]


def claims(document: Document, lexicon: Lexicon) -> list[Claim]:
    """Claims in order of place."""
    context = Context(document, lexicon)
    binder = Binder(document, lexicon, context.names)
    drafts: list[Draft] = []
    for block in document.blocks:
        if block.kind == "front_matter" or block.kind == "code" and not DRAWN.search(block.text):
            continue
        found = numbers(block.text)
        if found:
            cited = _cited(block, found)
            drafts.extend(Draft(block, q, cited) for q in binder.bind(block, found))
    completed(d.quantity for d in drafts)
    declared = next((said for b in document.blocks if "baseline" in b.text or "基" in b.text if (said := defined(b.text))), None)
    held([(d.block, d.quantity) for d in drafts], declared, bool(document.structure.increments or document.structure.discrepancies))
    return shared(_written(document, drafts, context), document.text)


def _cited(block: Block, found: list[Number]) -> tuple[Source, ...]:
    """The papers that a block names; a long one, such as a list of ids, vouches for nothing in it."""
    if len(block.text) >= 500:
        return ()
    papers = (ARXIV.fullmatch(n.text) for n in found if n.kind == "id")
    return tuple(Source(kind="arxiv", id=p[1]) for p in papers if p)


class Increments:
    """The increment of a briefing that a line stands in."""

    def __init__(self, found: tuple[Increment, ...]):
        self._found = sorted(found, key=lambda i: i.line)
        self._lines = [i.line for i in self._found]

    def at(self, line: int) -> Increment | None:
        place = bisect_right(self._lines, line) - 1
        return self._found[place] if place >= 0 and line <= self._found[place].end_line else None


def _written(document: Document, drafts: list[Draft], context: Context) -> list[Claim]:
    """Drafts as claims with ids, intervals, conditions and what their increment says of them."""
    out: list[Claim] = []
    ordinals: Counter[tuple[Any, ...]] = Counter()
    firsts: dict[tuple[Any, ...], str] = {}
    increments = Increments(document.structure.increments)
    blocks = iter(document.blocks)
    entered: Block | None = None
    hedges: list[re.Match[str]] = []
    for block, q, cited in drafts:
        if entered is not block:
            hedges = list(wording.HEDGE.finditer(block.text))
        while entered is not block:  # headings without a claim open scopes too
            entered = next(blocks)
            context.enter(entered, context.names[entered.start])
        key = (q.subject, q.metric, q.statistic, q.form, q.unit)
        ordinals[key] += 1
        ident = hashlib.sha256("\x1f".join(map(str, (document.path, *key, ordinals[key]))).encode()).hexdigest()[:16]
        said = (key, q.value, q.low, q.high, q.from_, q.to)
        start = _start(block.text, q)
        (line, column), (end_line, _) = document.place(block.start + start), document.place(block.start + q.end - 1)
        conditions = context.at(q.first.start, q.last.end, q.cell, q.unit)
        if q.form == "version":
            conditions = context.release(conditions, q.subject, q.value, line)
        increment = increments.at(block.line)
        hedge = next((h for h in hedges if q.frame.clause <= h.start() and h.end() <= q.frame.clause_end), None) if hedges else None
        sources = cited or (tuple(Source(kind="arxiv", id=i) for i in increment.arxiv) if increment else ())
        out.append(
            Claim.model_construct(  # made of typed parts: nothing to validate, and validation costs more than the rest
                id=ident, document=document.path, line=line, end_line=end_line, column=column, start=block.start + start,
                end=block.start + q.end, text=block.text[start : q.end], section=block.section[-1] if block.section else "", first=firsts.get(said),
                cell=(block.cells[0].text, q.cell.head) if q.cell else None, form=q.form, value=q.value, low=q.low, high=q.high, from_=q.from_, to=q.to,
                interval=_intervals(q), unit=q.unit, direction=q.direction, approx=q.approx, bound=q.bound, hedge=hedge[0].strip() if hedge else None,
                subject=q.subject, metric=q.metric, statistic=q.statistic, baseline=q.baseline, conditions=conditions, sources=sources,
                credibility=increment.credibility if increment else None, anchor_to=increment.anchor_to if increment else None, scope=_scope(block.text, q),
            )
        )  # fmt: skip
        firsts.setdefault(said, ident)
    return out


def _start(text: str, q: Quantity) -> int:
    """Where the claim's text begins: at its sign or currency, else at its number."""
    if sign := wording.SIGN.search(text, max(0, q.start - 4), q.start):
        return sign.start()
    money = MONEY.search(text, max(0, q.start - 3), q.start)
    return money.start() if money else q.start


def _scope(text: str, q: Quantity) -> Literal["world", "document"]:
    """`document` for a count that the briefing states about itself."""
    if q.unit not in COUNTS or q.form not in ("value", "range"):
        return "world"
    behind = re.split(r"[（(]", text[q.end : min(q.frame.item_end, q.end + 24)], maxsplit=1)[0]
    return "document" if OWN_WORDS.search(text[q.frame.item : q.end] + behind) else "world"


def _intervals(q: Quantity) -> tuple[Interval, ...]:
    """What the rounding of each number allows; counts are exact, versions and dates have none."""
    if q.form in ("version", "date"):
        return ()
    signed = [n for n in ((q.from_, q.to) if q.form == "change" else (q.value, q.low, q.high)) if isinstance(n, float)]
    numerals = [q.first] if q.first is q.last else [q.first, q.last]
    if len(numerals) < len(signed):
        numerals = numerals * len(signed)
    ends = []
    for number, value in zip(numerals, sorted(signed, key=abs) if q.form != "change" else signed, strict=False):
        written = WRITTEN.search(number.text)
        digits = written[0].strip(",.") if written else ""
        size = float(digits.replace(",", "")) if digits else 0.0
        if not size:
            ends.append(Interval(low=value, high=value))
            continue
        around = interval(digits, abs(value) / size, q.unit in EXACT)
        ends.append(Interval(low=-around.high, high=-around.low) if value < 0 else around)
    return tuple(ends)
