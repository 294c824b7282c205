"""A value outside what is possible. Refute only when no value that the rounding allows is inside the bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from verifier.compare.roofline import beyond, chinese, roofline
from verifier.models import Claim, Finding, Location
from verifier.normalize import boards
from verifier.rules._about import passage
from verifier.rules._base import Context, Rule, finding
from verifier.rules._words import SIGNS

TOPIC = r"口径|分母|超过|超出|不可能|denominator|exceed|impossible|more than the whole"  # what a declared entry about such a fault speaks of
SLICED = re.compile(r"MIG|slice|切片|vGPU|可用|usable|free", re.I)
MANY = re.compile(
    r"(?<![A-Za-z])(?:two|three|four|six|eight|sixteen|several|cluster|nodes?|racks?|GPUs|aggregate|total)(?![A-Za-z])|[多两二四八十]卡|节点|集群|合计|总计",
    re.I,
)
OWN = ("row", "column", "caption", "command")  # where a condition may stand, beside the claim's own line, to be surely the claim's


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """`check`: range (`low`, `high`), roofline (`limits`: which of compare.roofline's), fit (weights against memory),
    sizes (memory that a part does not come with)."""
    return CHECKS[rule.spec.get("check", "range")](rule, context)


def _range(rule: Rule, context: Context) -> Iterator[Finding]:
    """One finding for each metric and value of a document; its restatements are further places of it."""
    low, high = rule.spec.get("low", float("-inf")), rule.spec.get("high", float("inf"))
    causes: dict[tuple[object, ...], list[Claim]] = {}
    for claim in context.claims:
        if claim.form not in ("value", "range", "change") or not claim.interval or not rule.when(claim):
            continue
        if not any(i.low > high or i.high < low for i in claim.interval):
            yield finding(rule, context, "pass", [claim], f"{claim.text} is possible", f"{claim.text} 在可能范围内")
        elif claim.line not in context.flagged:
            causes.setdefault((claim.metric, *claim.numbers), []).append(claim)
    for claims in causes.values():
        working = f"{claims[0].text}: allowed {low:g}..{high:g} {claims[0].unit}"
        zh = f"{claims[0].text}，允许范围 {low:g}..{high:g} {SIGNS.get(claims[0].unit, claims[0].unit)}"
        yield finding(
            rule, context, "fail", claims[:6], f"{rule.title['en']}: {working}", f"{rule.title['zh']}：{zh}", working=[working],
            expected=f"{low:g}..{high:g} {claims[0].unit}", observed=claims[0].text,
        )  # fmt: skip


def _roofline(rule: Rule, context: Context) -> Iterator[Finding]:
    """A rate over what the stated hardware, model and precision can give; one finding for each setup and limit."""
    causes: dict[tuple[object, ...], list[tuple[Claim, str]]] = {}
    for claim in context.claims:
        if not rule.when(claim) or claim.line in context.flagged or not _own(claim, "accelerator"):
            continue
        excess = beyond(claim)
        if excess is not None and "accelerator_count" not in claim.conditions and _many(context, claim):
            continue  # of several parts, who knows how many
        if excess is None or excess.limit.name not in rule.spec["limits"]:
            if any(limit.name in rule.spec["limits"] for limit in roofline(claim.conditions).limits):
                yield finding(rule, context, "pass", [claim], f"{claim.text} is within the hardware's limits", f"{claim.text} 未超出硬件上限")
            continue
        causes.setdefault((excess.limit.name, excess.limit.working), []).append((claim, excess.working))
    for (name, limit), found in causes.items():
        claims = [claim for claim, _ in found]
        working = [w for _, w in found]
        yield finding(rule, context, "fail", claims[:6], f"{rule.title['en']}: {working[0]}", f"{rule.title['zh']}：{chinese(working[0])}", working=working[:6],
                      working_zh=[chinese(w) for w in working[:6]],
                      expected=f"at most {limit}", observed=claims[0].text, cause=f"{name}|{limit}")  # fmt: skip


def _many(context: Context, claim: Claim) -> bool:
    """Whether its sentence speaks of several parts without a number that could be read."""
    return MANY.search(context.document.text, *passage(context, claim.start, claim.end)) is not None


def _fit(rule: Rule, context: Context) -> Iterator[Finding]:
    """A model whose weights are larger than the memory of the parts that are said to run it."""
    told: set[str] = set()
    for claim in context.claims:
        if not all(_own(claim, name) for name in ("accelerator", "model", "precision")) or not rule.when(claim):
            continue
        limit = roofline(claim.conditions).get("memory")
        if limit is None or limit.working in told or not any(_own(claim, n) for n in ("accelerator_count", "tensor_parallel")):
            continue
        told.add(limit.working)
        fits = "do not fit" not in limit.working
        yield finding(rule, context, "pass" if fits else "fail", [claim], limit.working, f"权重与显存：{chinese(limit.working)}", working=[limit.working],
                      observed=claim.text, cause=limit.working)  # fmt: skip


def _sizes(rule: Rule, context: Context) -> Iterator[Finding]:
    """A part with a memory that none of its boards has; a slice of one is no board."""
    told: set[tuple[str, str]] = set()
    for claim in context.claims:
        part, memory = claim.conditions.get("accelerator"), claim.conditions.get("accelerator_memory")
        block = context.block(claim.start)
        if part is None or memory is None or part.line != memory.line or (part.value, memory.value) in told or not rule.when(claim):
            continue
        known = sorted({b.memory for b in boards(part.value) if b.memory is not None})
        size = re.fullmatch(r"(\d+(?:\.\d+)?)\s?Gi?B", memory.value)
        if not known or size is None or any(b.memory is None for b in boards(part.value)) or block is None or SLICED.search(block.text):
            continue
        told.add((part.value, memory.value))
        sizes = ", ".join(f"{m:g} GB" for m in known)
        right = float(size[1]) in known
        at: list[Claim | Location] = [claim] if part.line == claim.line else [context.line(part.line), claim]
        yield finding(rule, context, "pass" if right else "fail", at, f"{part.value} with {memory.value}: it comes with {sizes}",
                      f"{part.value} 标为 {memory.value}，实际只有 {sizes}", working=[f"data sheet: {sizes}"], expected=sizes, observed=memory.value,
                      cause=f"{part.value}|{memory.value}")  # fmt: skip


def _own(claim: Claim, name: str) -> bool:
    """Whether a condition stands where it is surely the claim's: on its line, in its table, or in its caption or command."""
    said = claim.conditions.get(name)
    return said is not None and (said.line == claim.line or said.origin in OWN)


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {"range": _range, "roofline": _roofline, "fit": _fit, "sizes": _sizes}
