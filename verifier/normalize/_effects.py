"""How much a change is, however it is written: +70 % is 1.7×, from 1.7 to 92.2 % is +90.5 points, −92.3 % of the time is 13× the speed.

Carried over only where a baseline makes it exact. A factor is that of the thing measured; for a time it is the
factor of the speed, because "2× faster", "−50 %" and "2 s → 1 s" then are one number.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.models import Claim, Interval
from verifier.normalize._units import unit

TIMES = frozenset(("latency", "ttft", "tpot", "e2e_latency"))


class Effect(NamedTuple):
    """`factor` new over old, `difference` new minus old in `unit`; each None where the claim does not fix it."""

    factor: Interval | None
    difference: Interval | None
    unit: str
    steps: tuple[str, ...]


def effect(claim: Claim) -> Effect | None:
    """What a ratio, delta or change says; None for other forms, and where a percentage may be of the time or of the speed."""
    made = {"ratio": _ratio, "delta": _delta, "change": _change}.get(claim.form)
    if made is None or not claim.interval or not all(isinstance(n, float) for n in claim.numbers):
        return None
    found = made(claim)
    if found is None or found.factor is None or claim.metric not in TIMES or claim.form == "ratio":
        return found
    speed = _inverse(found.factor)
    if speed is None:
        return found._replace(factor=None)
    step = f"time × {_say(found.factor)} = speed × {_say(speed)}"
    return found._replace(factor=speed, steps=(*found.steps, step))


def _ratio(claim: Claim) -> Effect | None:
    """`3.8×`; a time that became n× is n× the speed; another thing lowered n× is 1/n of it."""
    factor = _span(claim.interval)
    if claim.direction != "decrease" or claim.metric in TIMES:
        return Effect(factor, None, "factor", (f"{claim.text} = {_say(factor)} times the baseline",))
    lowered = factor if factor.high < 1 else _inverse(factor)
    return Effect(lowered, None, "factor", (f"lowered {claim.text} = {_say(lowered)} of the baseline",)) if lowered else None


def _delta(claim: Claim) -> Effect | None:
    """`-72.4%` of something; `+27 pp`, `+20 ms` as a difference."""
    span = _span(claim.interval)
    if claim.unit == "percent":
        if claim.metric in TIMES and claim.direction == "increase":
            return None  # `68% faster`: of the time or of the speed?
        factor = Interval(low=1 + span.low / 100, high=1 + span.high / 100)
        if factor.low < 0:
            return None
        return Effect(factor, None, "factor", (f"1 {_signed(span)} % = {_say(factor)} times the baseline",))
    known = unit(claim.unit)
    if known is None:
        return None
    difference = Interval(low=span.low * known.factor, high=span.high * known.factor)
    return Effect(None, difference, known.base, (f"{claim.text} = {_say(difference)} {known.base}",))


def _change(claim: Claim) -> Effect | None:
    """`1.7% → 92.2%`: both a factor and a difference."""
    known = unit(claim.unit)
    if known is None or len(claim.interval) != 2:
        return None
    old, new = claim.interval
    difference = Interval(low=(new.low - old.high) * known.factor, high=(new.high - old.low) * known.factor)
    factor = Interval(low=new.low / old.high, high=new.high / old.low) if old.low > 0 and new.low >= 0 else None
    steps = (f"{claim.text}: difference {_say(difference)} {known.base}", *([f"new over old = {_say(factor)}"] if factor else []))
    return Effect(factor, difference, known.base, steps)


def _span(ends: tuple[Interval, ...]) -> Interval:
    return Interval(low=min(i.low for i in ends), high=max(i.high for i in ends))


def _inverse(span: Interval) -> Interval | None:
    return Interval(low=1 / span.high, high=1 / span.low) if span.low > 0 else None


def _say(span: Interval) -> str:
    return f"{span.low:.4g}..{span.high:.4g}"


def _signed(span: Interval) -> str:
    return f"{'+' if span.low >= 0 else '−'} {abs(span.low):.4g}..{abs(span.high):.4g}"
