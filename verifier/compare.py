"""Two claims -> equal | different | not_comparable | undecided. Symmetric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verifier.models import Claim
from verifier.normalize import canonical


@dataclass(frozen=True)
class Comparison:
    """`conditions`: those that differ (not_comparable) or are missing (undecided)."""

    answer: Literal["equal", "different", "not_comparable", "undecided"]
    working: str
    conditions: tuple[str, ...] = ()


def compare(a: Claim, b: Claim) -> Comparison:
    """Refuse unlike things first; then what is missing; only then look at the values' rounding intervals."""
    for name in ("subject", "metric", "statistic", "baseline"):
        x, y = getattr(a, name), getattr(b, name)
        if x and y and x != y:
            return Comparison("not_comparable", f"{name} differs: {x} / {y}", (name,))
    if a.form != b.form:
        return Comparison("not_comparable", f"form differs: {a.form} / {b.form}", ("form",))
    both = sorted(set(a.conditions) & set(b.conditions))
    differing = tuple(c for c in both if a.conditions[c].value != b.conditions[c].value)
    if differing:
        return Comparison("not_comparable", f"conditions differ: {', '.join(differing)}", differing)
    p, q = canonical(a), canonical(b)
    if p is None or q is None or p.unit != q.unit:
        return Comparison("not_comparable", f"units do not meet: {a.unit} / {b.unit}", ("unit",))
    missing = tuple(c for c in sorted(set(a.conditions) | set(b.conditions)) if (c in a.conditions) != (c in b.conditions))
    missing += tuple(n for n in ("subject", "metric") if not (getattr(a, n) and getattr(b, n)))
    if missing:
        return Comparison("undecided", f"not stated on both sides: {', '.join(missing)}", missing)
    meets = p.low <= q.high and q.low <= p.high
    low, high = sorted((p, q))
    working = f"[{low.low:g}, {low.high:g}] and [{high.low:g}, {high.high:g}] {p.unit} {'meet' if meets else 'do not meet'}"
    return Comparison("equal" if meets else "different", working)
