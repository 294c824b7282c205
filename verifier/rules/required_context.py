"""What a figure must be stated with. One finding for each passage of a document and cause, not for each line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from verifier.extract.statements import Statements
from verifier.lexicon import load
from verifier.models import Claim, Condition, Finding, Location
from verifier.normalize import implied
from verifier.rules._base import Context, Rule, block_of, figure, finding
from verifier.rules._measured import inherited, is_link, is_setting, memory_of
from verifier.rules._suppressions import suppressions
from verifier.rules._words import named, quoted, tally

TOPIC = r"SXM|PCIe|型号|未注明|未说明|未标|缺失|缺少|口径|基线|not stated|unstated|missing"  # what a declared entry about such a fault speaks of
SHOWN = 6


def judge(rule: Rule, context: Context) -> Iterable[Finding]:
    """What `check` asks for: `claims`, unless it says otherwise; see CHECKS."""
    return CHECKS[rule.spec.get("check", "claims")](rule, context)


def _claims(rule: Rule, context: Context) -> Iterator[Finding]:
    """`conditions` of the claim, fields (`baseline`, `statistic`) and `words` (label: pattern, in the claim's block) that must be there.

    `near`: a pattern beside the figure without which the rule is not about it; `allow`: how many may be missing.
    Several claims of one subject (of one accelerator, where only that is in question) with one lack are one finding; a figure
    that has its context elsewhere needs none where it is restated. A setting, a banner and a timeout are no measurements.
    """
    spec = rule.spec
    needed = [*spec.get("conditions", ()), *spec.get("fields", ())]
    words = {label: re.compile(pattern, re.I) for label, pattern in spec.get("words", {}).items()}
    near = re.compile(spec["near"], re.I) if "near" in spec else None
    allow = spec.get("allow", 0)
    stated: set[tuple[object, ...]] = set()
    fails: dict[tuple[str, tuple[str, ...]], list[Claim]] = {}
    for claim in context.claims:
        if not rule.when(claim) or claim.scope == "document" or claim.line in context.flagged:
            continue
        block = block_of(context, claim)
        if block is None or near and not near.search(block.text[max(0, claim.start - block.start - 60) : claim.end - block.start + 40]):
            continue
        unsaid = [label for label, pattern in words.items() if not pattern.search(block.text)]
        missing = _missing(context, needed, claim, claim.conditions) + unsaid
        if len(missing) > allow:
            if claim.unit in ("s", "ms") and is_setting(context, claim) or is_link(block, claim):
                continue
            missing = _missing(context, needed, claim, inherited(context, claim, block)) + unsaid
        if len(missing) <= allow:
            stated.add((claim.unit, *claim.numbers))
            yield finding(rule, context, "pass", [claim], "states its conditions", "条件齐全")
        else:
            part = claim.conditions["accelerator"].value if "accelerator" in claim.conditions else ""
            of_the_part = part and all(m.startswith("accelerator") for m in missing)
            fails.setdefault((part if of_the_part else claim.subject or part, tuple(missing)), []).append(claim)
    for (_, lack), claims in _merged(fails):
        if lacking := [c for c in claims if (c.unit, *c.numbers) not in stated]:
            yield _lacking(rule, context, lacking, lack)


def _lacking(rule: Rule, context: Context, claims: list[Claim], missing: Sequence[str]) -> Finding:
    accelerator = claims[0].conditions.get("accelerator")
    part = accelerator.value if accelerator else None
    about = part if part and all(m.startswith("accelerator") for m in missing) else _subjects(claims) or part
    listed, listed_zh = named(missing)
    number, number_zh = tally(claims)
    at: list[Claim | Location] = list(claims[:SHOWN])
    if accelerator and accelerator.line != claims[0].line:
        at.insert(0, context.line(accelerator.line))  # where the setup is told is where it can be mended
    forms = list(load().entry("accelerator", part).get("form_factors", {})) if part and "accelerator_form_factor" in missing else []
    return finding(
        rule, context, "fail", at, f"{about or 'the figure'}: {listed} not stated for {number}, such as {quoted(claims[0])}",
        f"{about or '该数字'} 未注明：{listed_zh}（{number_zh}，如 {quoted(claims[0])}）", working=[f"missing: {listed}"], working_zh=[f"缺少：{listed_zh}"],
        cause=f"{about}|{listed}", fix=f"{rule.fix} {part} comes as {', '.join(forms)}." if forms else "",
        fix_zh=f"{rule.zh.get('fix', rule.fix)}{part} 有 {'、'.join(forms)} 形态。" if forms else "",
    )  # fmt: skip


def _subjects(claims: Sequence[Claim]) -> str:
    """What the figures are of, each once, without names that a longer one holds."""
    named = list(dict.fromkeys(c.subject for c in claims if c.subject))
    return ", ".join(s for s in named if not any(set(s.split()) < set(other.split()) for other in named))


Groups = dict[tuple[str, tuple[str, ...]], list[Claim]]


def _merged(groups: Groups) -> Iterator[tuple[tuple[str, tuple[str, ...]], list[Claim]]]:
    """Groups of one lack; joined where they stand in one line, or tell the figures of another again that lacks no more."""
    out: Groups = {}
    at: dict[tuple[int, tuple[str, ...]], tuple[str, tuple[str, ...]]] = {}
    told: dict[tuple[object, ...], list[tuple[str, tuple[str, ...]]]] = {}
    for (about, missing), group in sorted(groups.items(), key=lambda g: len(g[0][1])):
        figures = {figure(c) for c in group}
        beside = (at[c.line, missing] for c in group if (c.line, missing) in at)
        known = [told.get(f, []) for f in figures]
        again = (k for k in known[0] if set(k[1]) <= set(missing) and all(k in homes for homes in known))
        home = next(beside, None) or next(again, None) or (about, missing)
        out.setdefault(home, []).extend(group)
        at |= {(c.line, missing): home for c in group}
        for one in figures:
            told.setdefault(one, []).append(home)
    return iter(out.items())


def _missing(context: Context, needed: Sequence[str], claim: Claim, given: Mapping[str, Condition]) -> list[str]:
    """What of `needed` is neither given nor stated for the part elsewhere, nor follows from the part."""
    part = given["accelerator"].value if "accelerator" in given else ""

    def stands(name: str) -> bool:
        return (
            _given(name, given, claim)
            or _exempt(context, name, given)
            or bool(part and name.startswith("accelerator") and _stated(context, name, part))
        )

    return [name for name in needed if not stands(name)]


def _given(name: str, given: Mapping[str, Condition], claim: Claim) -> bool:
    """Stated as one value; `SXM vs PCIe` leaves open which."""
    found = given.get(name)
    if found is None:
        return bool(getattr(claim, name, None))
    return not (name == "accelerator_form_factor" and re.search(r" vs |/", found.value))


def _exempt(context: Context, condition: str, given: Mapping[str, Condition]) -> bool:
    """A part that comes in one form only, or whose memory leaves one."""
    if condition != "accelerator_form_factor" or "accelerator" not in given:
        return False
    part = given["accelerator"].value
    known = load().entry("accelerator", part).get("form_factors", {})
    size, kind = memory_of(context, part)
    memory = re.match(r"\d+", given["accelerator_memory"].value) if "accelerator_memory" in given else None
    return len(known) < 2 or condition in implied(part, None, float(memory[0]) if memory else size, kind)


def _stated(context: Context, condition: str, part: str) -> bool:
    """Whether a caption, note or heading states it for this part; one that names several values only compares them."""
    key = (condition, part)
    if key not in context.memo:
        find = Statements(load()).find
        context.memo[key] = False
        for block in context.document.blocks:
            names = context.names(block)
            if any(n.kind == "accelerator" and n.canonical == part for n in names):
                values = {m.value for m in find(block.text, names) if m.name == condition}
                if len(values) == 1 and not any(" vs " in v or "/" in v for v in values):
                    context.memo[key] = True
                    break
    return bool(context.memo[key])


def _suppression(rule: Rule, context: Context) -> Iterator[Finding]:
    """A comment that asks for silence must say why, who asks, and until when; one whose day has passed is to go."""
    for found in suppressions(context.document.text):
        at, said = context.at(found.start, found.end), f"ignore={found.rule}"
        if found.missing:
            lacks, lacks_zh = named(found.missing)
            yield finding(rule, context, "fail", [at], f"{said} without {lacks}: it suppresses nothing", f"{said} 缺少：{lacks_zh}，不生效", working=[f"missing: {lacks}"],
                          cause=f"suppression|{found.rule}")  # fmt: skip
        elif not found.holds(context.as_of):
            yield finding(rule, context, "fail", [at], f"{said} ran out on {found.until}: what it hid is back", f"{said} 已于 {found.until} 到期，相关发现重新出现",
                          working=[f"until {found.until} < {context.as_of}"], cause=f"suppression|{found.rule}")  # fmt: skip
        else:
            yield finding(rule, context, "pass", [at], f"{said}: {found.told}", f"{said}：{found.told}", cause=f"suppression|{found.rule}")


CHECKS: dict[str, Callable[[Rule, Context], Iterable[Finding]]] = {"claims": _claims, "suppression": _suppression}
