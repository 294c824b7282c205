"""What a figure is held against where its own sentence, table and heading leave it unsaid: another telling of it, then what stands around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from verifier.extract.metrics import GENERAL
from verifier.extract.opponents import one_name
from verifier.extract.quantities import Quantity
from verifier.models import Block

MOST = 60  # tellings of one figure that are looked at
REACH = 12  # blocks of one section that are looked across
GENERIC = re.compile(r"(?:the )?(?:best |strongest )?(?:baselines?|defaults?|reference|基线|默认|基准)$", re.I)
CODE = re.compile(r"\b[A-Z][A-Z0-9]+\b|\s+")

Said = tuple[Block, Quantity]


def held(said: list[Said], declared: str | None, digest: bool) -> None:
    """Fill in place. A `digest` tells of one thing after the other: there, nothing is taken from a neighbour."""
    _repeated(said)
    sections: dict[tuple[str, ...], list[Said]] = {}
    for block, q in said:
        sections.setdefault(block.section, []).append((block, q))
    for members in sections.values():
        _named(members, declared)
        if not digest:
            _around(members)


def generic(baseline: str) -> bool:
    """Whether a baseline is called nothing but baseline, `Baseline TPOT` among them."""
    return GENERIC.fullmatch(CODE.sub("", baseline) or baseline) is not None


def _repeated(said: Iterable[Said]) -> None:
    """A figure told again is held against what its other tellings are held against, where they agree."""
    groups: dict[tuple[object, ...], list[Quantity]] = {}
    for _, q in said:
        if q.relative or q.form == "change":
            numbers = tuple(abs(n) if isinstance(n, float) else n for n in (q.value, q.low, q.high, q.from_, q.to) if n is not None)
            groups.setdefault((q.unit, *numbers), []).append(q)
    for group in groups.values():
        told = [q for q in group[:MOST] if q.baseline and q.compares]
        if not told or len(told) == len(group):
            continue
        for q in group:
            if q.baseline is None and q.compares:
                kin = {o.baseline for o in told if o.baseline and _akin(q, o)}
                fullest = max(kin, key=len, default="")
                if fullest and all(one_name(fullest, k) for k in kin) and not one_name(q.subject or "", fullest):
                    q.baseline = fullest


def _akin(one: Quantity, other: Quantity) -> bool:
    """Whether both tell of one measurement: metrics do not differ, and metric or owner is one."""
    if _conflict(one, other):
        return False
    return bool(one.metric and other.metric) or one.subject is not None and other.subject is not None and one_name(one.subject, other.subject)


def _conflict(one: Quantity, other: Quantity) -> bool:
    """Whether both name a metric, and not the same."""
    return bool(one.metric and other.metric) and one.metric != other.metric and not GENERAL & {one.metric, other.metric}


def _named(members: list[Said], declared: str | None) -> None:
    """What is called nothing but baseline is the baseline that its section named before, or that the document declares."""
    name: str | None = None
    for _, q in members:
        if q.baseline and generic(q.baseline):
            q.baseline = declared or name or q.baseline
        elif q.baseline and q.cell is None:
            name = q.baseline


def _around(members: list[Said]) -> None:
    """A comparison without an opponent has the nearest one that its section states before it, or behind it in one list."""
    stated = [(block.line, block, q) for block, q in members if q.baseline and q.compares]
    lines = [line for line, _, _ in stated]
    for block, q in members:
        if q.baseline or not q.compares or q.cell is not None:
            continue
        at = bisect_left(lines, block.line)
        near = [*reversed(stated[max(0, at - 3) : at]), *(s for s in stated[at : at + 3] if s[1].kind == "bullet" and block.kind == "bullet")]
        for line, _, other in near:
            if abs(line - block.line) <= REACH and other.baseline and not _conflict(q, other) and not one_name(q.subject or "", other.baseline):
                q.baseline = other.baseline
                break
