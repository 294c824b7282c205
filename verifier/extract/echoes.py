"""One figure told several times: a telling that leaves its metric or owner unsaid takes them from one that says them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from verifier.extract.quantities import Quantity

MOST = 60  # tellings of one figure that are looked at


def completed(quantities: Iterable[Quantity]) -> None:
    """Fill in place what other tellings of the same figure say."""
    groups: dict[tuple[object, ...], list[Quantity]] = {}
    for q in quantities:
        numbers = tuple(abs(n) if isinstance(n, float) else n for n in (q.value, q.low, q.high, q.from_, q.to) if n is not None)
        groups.setdefault((q.unit, *numbers), []).append(q)
    for group in groups.values():
        if len(group) > 1 and (owners := [q for q in group[:MOST] if q.subject]):
            _fill(group, owners)


def _fill(group: list[Quantity], owners: list[Quantity]) -> None:
    if group[0].form == "version":
        names = {q.subject for q in owners}
        for q in group:
            q.subject = q.subject or (next(iter(names)) if len(names) == 1 else None)
        return
    for q in group:
        if q.metric is None and q.relative:
            kin = Counter(o.metric for o in owners if o.metric and (_akin(q, o) or _telling(q)))
            if len(kin) == 1:
                q.metric = next(iter(kin))


def _akin(one: Quantity, other: Quantity) -> bool:
    """Whether both speak of one thing: one name holds the other."""
    a, b = (one.subject or "").lower(), (other.subject or "").lower()
    return bool(a and b) and (a in b or b in a)


def _telling(q: Quantity) -> bool:
    """Figures that are not said of two things by chance: three digits and more, or two ends."""
    numbers = [n for n in (q.value, q.low, q.from_) if isinstance(n, float)]
    return q.first is not q.last or any(len(f"{abs(n):g}".replace(".", "").strip("0")) >= 3 for n in numbers)
