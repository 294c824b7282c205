"""Two claims -> equal | different | not_comparable | undecided. Symmetric; what is refused once is refused for its likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from verifier.compare._index import Index
from verifier.compare._profile import agreement, kinds_of, profile
from verifier.models import Claim, Interval
from verifier.normalize import Quantity, effect, quantities

__all__ = ["Comparison", "Index", "compare", "decide", "keys"]

Answer = Literal["equal", "different", "not_comparable", "undecided"]


@dataclass(frozen=True)
class Comparison:
    """`conditions`: those that differ (not_comparable) or are missing (undecided); `by`: how much larger the larger is, as a share."""

    answer: Answer
    working: str
    conditions: tuple[str, ...] = ()
    by: float | None = None


class _Span(NamedTuple):
    low: float
    high: float
    unit: str


def keys(claim: Claim) -> tuple[str, ...]:
    """Claims that `compare` decides share a key; so candidates among many are found without comparing pairs."""
    return profile(claim).keys()


def compare(a: Claim, b: Claim) -> Comparison:
    """Refuse unlike things first; then say what is missing; only then look at what the roundings allow."""
    p, q = profile(a), profile(b)
    kinds = [k for k in p.kinds if k in q.kinds]
    states = {n: agreement(n, p.facts[n], q.facts[n]) for n in sorted(p.facts.keys() & q.facts.keys()) if n != "bound"}
    differing = tuple(n for n, state in states.items() if state == "differs")
    if not kinds:
        differing += ("unit" if a.form == b.form else "form",)
    if differing:
        told = (sorted((_told(a, n), _told(b, n))) for n in differing)
        working = ", ".join(f"{n}: {one} / {two}" for n, (one, two) in zip(differing, told, strict=True))
        return Comparison("not_comparable", f"differ in {working}", differing)
    missing = [n for n, state in states.items() if state == "open"]
    missing += sorted((p.facts.keys() ^ q.facts.keys()) - {"bound"})
    missing += [n for n in ("subject", "metric") if n not in p.facts and n not in q.facts]
    if missing:
        return Comparison("undecided", f"not stated on both sides: {', '.join(sorted(missing))}", tuple(sorted(missing)))
    return _values(a, b, kinds)


def decide(a: Claim, b: Claim) -> Comparison:
    """`compare` for two that share a key, such as a claim and its candidates: they are about one thing, only the values are left."""
    kinds = [k for k in kinds_of(a) if k in kinds_of(b)]
    return _values(a, b, kinds) if kinds else compare(a, b)


def _told(claim: Claim, name: str) -> str:
    """A fact as the claim writes it."""
    stated = claim.conditions.get(name)
    return stated.value if stated else str(getattr(claim, name, None) or profile(claim).facts.get(name, "–"))


def _values(a: Claim, b: Claim, kinds: list[str]) -> Comparison:
    if kinds[0] in ("version", "date"):
        same = a.numbers == b.numbers
        return Comparison("equal" if same else "different", " / ".join(sorted(str(c.numbers[0]) for c in (a, b))))
    pairs = list(zip(_spans(a, kinds), _spans(b, kinds), strict=False))
    if a.form == b.form == "change":
        pairs = [(_span(x), _span(y)) for x, y in zip(quantities(a), quantities(b), strict=True)] or pairs
    if not pairs:
        return Comparison("undecided", "no value that can be held against the other", ("unit",))
    if a.bound != b.bound:
        return _bounded(a, b, *pairs[-1])
    apart = next(((x, y) for x, y in pairs if x.high < y.low or y.high < x.low), None)
    x, y = sorted(apart or pairs[0])
    working = f"[{x.low:g}, {x.high:g}] and [{y.low:g}, {y.high:g}] {x.unit} {'do not meet' if apart else 'meet'}"
    if apart is None:
        return Comparison("equal", working)
    one, two = sorted(abs((s.low + s.high) / 2) for s in (x, y))
    return Comparison("different", working, by=two / one - 1 if one else None)


def _spans(claim: Claim, kinds: list[str]) -> list[_Span]:
    """What is held against the other: ends of a value or a range, or the effect in a way that both have."""
    if claim.form in ("ratio", "delta", "change") and (found := effect(claim)):
        way = found.factor if kinds[0] == "factor" else found.difference
        return [_Span(way.low, way.high, "x" if kinds[0] == "factor" else found.unit)] if isinstance(way, Interval) else []
    return [_span(q) for q in quantities(claim)] or [_Span(i.low, i.high, claim.unit) for i in claim.interval]


def _span(quantity: Quantity) -> _Span:
    return _Span(quantity.low, quantity.high, quantity.unit)


def _bounded(a: Claim, b: Claim, x: _Span, y: _Span) -> Comparison:
    """An `up to` or `at least` excludes what lies beyond it and says nothing of the rest."""
    ways = {"max": (float("-inf"), 1), "min": (1, float("inf")), None: (1, 1)}

    def reach(claim: Claim, span: _Span) -> tuple[float, float]:
        low, high = ways[claim.bound]
        return (span.low if low == 1 else low, span.high if high == 1 else high)

    (p, q), (r, s) = sorted((reach(a, x), reach(b, y)))
    working = f"[{p:g}, {q:g}] and [{r:g}, {s:g}] {x.unit}"
    return Comparison("different", f"{working} do not meet") if q < r else Comparison("undecided", f"{working}: one is a bound", ("bound",))
