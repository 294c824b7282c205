"""One figure said several times in a document: where it is said in full, it lends its conditions to its restatements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.extract.scopes import SUBJECTS, alike
from verifier.models import Claim, Condition

OWN = frozenset(("clause", "row", "column", "block"))
WORD = re.compile(r"[A-Z][\w-]*[A-Za-z][\w-]*|[\u4e00-\u9fff]{2}")
DULL = frozenset(("TTFT", "TPOT", "ITL", "GPU", "KV", "LLM", "P50", "P90", "P95", "P99", "Cache", "QPS", "RPS"))
COUNTED = frozenset(("item", "commit", "contributor", "star", "point", "user"))
REACH = 24
MOST = 40  # mentions of one figure that are looked at


def shared(claims: list[Claim], text: str) -> list[Claim]:
    """The claims, in order; those that repeat a figure have what its fullest statement says of its conditions."""
    groups: dict[tuple[str, tuple[float | str, ...]], list[int]] = {}
    for index, claim in enumerate(claims):
        size = tuple(n.lstrip("v") if isinstance(n, str) else abs(n) for n in claim.numbers)
        groups.setdefault((claim.unit, size), []).append(index)
    out = list(claims)
    for (unit, size), members in groups.items():
        if len(members) > 1 and unit not in COUNTED:
            words = {i: _words(text, claims[i]) for i in members}
            for i in members:
                telling = claims[i].form == "version" or len(size) == 2 or _digits(size) >= 3
                kin = [claims[j] for j in members[:MOST] if j != i and (telling or words[i] & words[j]) and _may_be_one(claims[i], claims[j])]
                if lent := _lent(claims[i], kin):
                    out[i] = claims[i].model_copy(update={"conditions": {**claims[i].conditions, **lent}})
    return out


def _lent(claim: Claim, kin: Iterable[Claim]) -> dict[str, Condition]:
    """What the others state beside the figure itself, where the claim has it from afar or not at all; never what they dispute."""
    offered: dict[str, dict[str, Condition]] = {}
    for other in kin:
        for name, condition in other.conditions.items():
            if condition.origin in OWN:
                offered.setdefault(name, {}).setdefault(condition.value, condition)
    lent = {}
    for name, values in offered.items():
        held = claim.conditions.get(name)
        best = max(values.values(), key=lambda c: len(c.value))
        if all(alike(best.value, v) for v in values) and (held is None or held.origin not in OWN):
            lent[name] = best
    return lent


def _may_be_one(one: Claim, other: Claim) -> bool:
    """Neither states another accelerator, model, engine or metric than the other."""
    if one.metric and other.metric and one.metric != other.metric:
        return False
    if one.form == "version" and one.subject and other.subject and one.subject != other.subject:
        return False
    pairs = ((one.conditions.get(n), other.conditions.get(n)) for n in SUBJECTS)
    return all(a is None or b is None or a.origin not in OWN or b.origin not in OWN or alike(a.value, b.value) for a, b in pairs)


def _words(text: str, claim: Claim) -> set[str]:
    """The names and terms right around a figure."""
    left = text.rfind("\n", 0, claim.start) + 1
    near = text[max(left, claim.start - REACH) : claim.start] + " " + text[claim.end : claim.end + REACH // 2].split("\n")[0]
    return {w for w in WORD.findall(near) if w not in DULL}


def _digits(size: Iterable[object]) -> int:
    """Significant digits: `98.6` says more than `70`."""
    return max((len(f"{n:g}".replace(".", "").strip("0")) for n in size if isinstance(n, float)), default=0)
