"""One quantity told with values that exclude each other, in whichever documents: by comparison key, never by pairs of claims."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from verifier.compare import decide, keys
from verifier.models import Claim, Finding, Location
from verifier.rules._base import Context, Rule
from verifier.rules._words import zh

CORPUS = "corpus"  # `documents: corpus` says that a rule judges many documents together
SETUP = (
    "accelerator",
    "model",
    "precision",
    "batch_size",
    "concurrency",
    "input_tokens",
    "output_tokens",
    "workload",
    "tensor_parallel",
    "engine_version",
)
Told = Sequence[Sequence[Claim]]  # of one key: claims of one value each, in order of value


def of_corpus(rules: Iterable[Rule]) -> list[Rule]:
    """The rules that judge many documents together; a run on one document passes them over."""
    return [rule for rule in rules if rule.spec.get("documents") == CORPUS and not rule.retired]


def keyed(rules: Sequence[Rule], claims: Iterable[Claim]) -> list[tuple[str, Claim]]:
    """(key, claim) of one document's claims. A document with several values for one key does not say which it means: that key is left out."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        if any(rule.when(claim) for rule in rules):
            for key in keys(claim):
                found.setdefault(key, []).append(claim)
    return [(key, told[0]) for key, told in found.items() if len({(c.numbers, c.bound) for c in told}) == 1]


def value(claim: Claim) -> tuple[tuple[float, ...], str | None, str]:
    """What two claims of one key must share to tell the same."""
    return tuple(map(float, claim.numbers)), claim.unit, claim.bound or ""


def excluding(rule: Rule, key: str, told: Told) -> Iterator[tuple[Finding, Claim]]:
    """One finding, with its first claim, for a key whose values exclude each other; undecided where fewer than `conditions` parts of the setup are stated."""
    told = [claims for claims in told if rule.when(claims[0])]
    apart: dict[int, str] = {}
    for i, ours in enumerate(told):
        for j in range(i + 1, len(told)):
            one, two = ours[0], told[j][0]
            shared = [k for k in keys(one) if k in keys(two)]
            answer = decide(one, two)
            if answer.answer == "different" and shared[:1] == [key]:
                apart.setdefault(i, answer.working)
                apart.setdefault(j, answer.working)
    if not apart:
        return
    places = [claim for i in sorted(apart) for claim in told[i]]
    first = places[0]
    stated = sum(name in first.conditions for name in SETUP) >= int(rule.spec.get("conditions", 2))
    about_zh = " ".join(x for x in (first.subject, first.metric and zh(first.metric), first.statistic) if x)
    about = " ".join(x for x in (first.subject, first.metric, first.statistic) if x)
    values = " / ".join(f"{told[i][0].text} ({told[i][0].document}:{told[i][0].line})" for i in sorted(apart))
    lacking = "" if stated else "; too little of the setup is stated to say that they mean one thing"
    which = f"{first.metric}|{key}"
    yield Finding(
        rule=rule.id, rule_version=rule.version, kind=rule.kind, verdict="fail" if stated else "undecided", severity=rule.severity,
        locations=tuple(Location(document=c.document, line=c.line, end_line=c.end_line, text=c.text) for c in places),
        claims=tuple(c.id for c in places),
        message=f"{about} is told with values that exclude each other: {values}{lacking}",
        message_zh=f"{about_zh} 在不同文档中数值互斥：{values}{'' if stated else '；测试条件说明不足，不能断定所指相同'}",
        working=tuple(f"{name}: {c.value}" for name, c in sorted(first.conditions.items())) + tuple(dict.fromkeys(apart.values())),
        working_zh=tuple(f"{zh(name)}：{c.value}" for name, c in sorted(first.conditions.items())),
        fix=rule.fix, fix_zh=rule.zh.get("fix", rule.fix), cause=f"{rule.first}|{first.subject}|{which}", fingerprint=hashlib.sha256(f"{rule.first}|{which}".encode()).hexdigest()[:16],
        note=rule.opens == "note",
    ), first  # fmt: skip


def among(rule: Rule, context: Context) -> Iterator[Finding]:
    """A document beside the claims of another, as a scan holds those of many."""
    groups: dict[str, dict[tuple[tuple[float, ...], str | None, str], list[Claim]]] = {}
    for claims in (context.candidates, context.claims):
        for key, claim in keyed([rule], claims):
            groups.setdefault(key, {}).setdefault(value(claim), []).append(claim)
    for key, told in sorted(groups.items()):
        yield from (found for found, _ in excluding(rule, key, [told[v] for v in sorted(told, key=repr)]))
