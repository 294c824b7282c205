"""What a claim is about, in canonical words: two figures may be compared exactly where their profiles agree."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from verifier.lexicon import load
from verifier.models import Claim
from verifier.normalize import effect, implied, unit

Agreement = Literal["same", "open", "differs"]
STATISTICS = {"median": "p50", "中位数": "p50", "avg": "mean", "average": "mean", "平均": "mean", "均值": "mean"}
RELOAD = re.compile(r"(?:ISL|OSL|input|output|prompt|batch|BS|concurren|输入|输出|并发|\d+K?/\d+K?$|\d+\s?(?:in|out)\b)", re.I)
COUNTS = frozenset("accelerator_count number_of_nodes tensor_parallel pipeline_parallel data_parallel expert_parallel batch_size concurrency".split())  # noqa: SIM905
GRAMMAR = re.compile(
    r"(?<![A-Za-z])(?:P\d{2}|FP\d+|BF16|INT\d|TP=?\d*|GB|B|mean|median|avg|average|max|min|the|an?)(?![A-Za-z])"
    r"|最高|最低|提升|提高|降低|下降|减少|增加|平均|达到?|[在上下为从到至是的跑约由]",
    re.I,
)
NOUN = re.compile(r"[A-Za-z]{2}|[\u4e00-\u9fff]{2}")
LENGTHS = frozenset(("input_tokens", "output_tokens"))
NAMED = frozenset(("subject", "baseline", "model", "engine", "workload"))


class Profile(NamedTuple):
    """`facts` by name; `kinds` are the ways in which the figure may be held against others."""

    facts: Mapping[str, str]
    kinds: tuple[str, ...]

    def keys(self) -> tuple[str, ...]:
        """One key for each kind: figures that can be decided against each other share one. Empty where too little is said."""
        if not {"subject", "metric"} <= self.facts.keys():
            return ()
        said = "\x1f".join(f"{name}={value}" for name, value in sorted(self.facts.items()) if name != "bound")
        return tuple(hashlib.blake2b(f"{kind}\x1f{said}".encode(), digest_size=12).hexdigest() for kind in self.kinds)


def profile(claim: Claim) -> Profile:
    """The claim's facts in canonical words, with what its hardware leaves no choice about."""
    facts = {name: _canonical(name, c.value) for name, c in claim.conditions.items()}
    if not facts.get("workload", "-"):
        del facts["workload"]
    part = claim.conditions.get("accelerator")
    if part:
        memory = re.match(r"\d+", facts.get("accelerator_memory", ""))
        form = claim.conditions.get("accelerator_form_factor")
        for name, value in implied(
            part.value, form.value if form and " vs " not in form.value else None, float(memory[0]) if memory else None
        ).items():
            facts.setdefault(name, _canonical(name, value))
    if claim.form == "version":
        facts.pop("engine", None)
        facts.pop("engine_version", None)
    baseline = _canonical("baseline", claim.baseline) if claim.baseline else None
    subject: str | None = _subject(claim.subject or "", baseline)
    if not subject or subject in facts.get("model", "") or subject in facts.values():  # a setting, not what is measured
        subject = facts.get("engine") or (facts.get("model") if subject else None)
    own = {
        "subject": subject,
        "metric": claim.metric,
        "statistic": STATISTICS.get(claim.statistic.lower(), claim.statistic.lower()) if claim.statistic else None,
        "baseline": baseline,
        "bound": claim.bound,
    }
    if subject and facts.get("engine") == subject:
        facts.pop("engine")
    return Profile({**facts, **{name: value for name, value in own.items() if value}}, kinds_of(claim))


@lru_cache(maxsize=4096)
def _subject(written: str, baseline: str | None) -> str:
    """The engine, model or project that a subject names; else its words without measures, settings and grammar."""
    names = load().names(written)
    things = [_canonical("subject", n.canonical) for n in names if n.kind in ("engine", "model", "project")]
    if own := [t for t in dict.fromkeys(things) if t != baseline]:
        return "/".join(own)
    for name in reversed([n for n in names if n.kind in ("metric", "accelerator", "engine", "project")]):
        written = written[: name.start] + " " + written[name.end :]
    return _canonical("subject", GRAMMAR.sub(" ", written)) if NOUN.search(GRAMMAR.sub(" ", written)) else ""


def kinds_of(claim: Claim) -> tuple[str, ...]:
    """The ways in which a figure may be held against others: its form and what it measures."""
    if claim.form in ("version", "date"):
        return (claim.form,)
    if claim.form in ("ratio", "delta", "change"):
        found = effect(claim)
        ways = [
            w for w, there in (("factor", found and found.factor), (f"difference {found.unit if found else ''}", found and found.difference)) if there
        ]
        return tuple(ways) or (f"{claim.form} {claim.unit}",)
    known = unit(claim.unit)
    return (f"{claim.form} {known.base if known else claim.unit}",)


def agreement(name: str, one: str, other: str) -> Agreement:
    """Whether two facts are the same, exclude each other, or leave it open because one says less."""
    if one == other:
        return "same"
    if name == "accelerator_form_factor" and "/" in one + other:
        return "open"
    if name in NAMED:
        mine, theirs = ({w for w in re.split(r"[/,+]", text) if w} for text in (one, other))
        if mine & theirs or one in other or other in one:
            return "open"
    if "-" in one + other and name in COUNTS:
        return "open"
    return "differs"


@lru_cache(maxsize=8192)
def _canonical(name: str, value: str) -> str:
    if name in COUNTS:
        return value.replace(",", "").casefold()
    if name in LENGTHS:
        return _length(value)
    if name == "engine_version":
        return re.sub(r"(?:\.0)+$", "", value.lstrip("vV"))
    if name == "workload":
        pieces = [p.strip() for p in value.split(",")]
        return ",".join(sorted(_load(p) for p in pieces if p and not RELOAD.search(p)))
    if name == "as_of":
        return value.replace(" ", "")
    return re.sub(r"[\s_\-()（）]+", "", re.sub(r"\s+vs\.?\s+", "/", value)).casefold()


def _length(value: str) -> str:
    """`1K`, `1000` and `1024` tokens are one length in this field."""
    plain = value.replace(",", "")
    if re.fullmatch(r"\d+", plain):
        number = int(plain)
        for size in (1000, 1024):
            if number and number % size == 0:
                return f"{number // size}k"
    return plain.casefold()


def _load(piece: str) -> str:
    """A workload's one name, where the lexicon knows it."""
    known = next((n.canonical for n in load().names(piece) if n.kind == "workload"), piece)
    return re.sub(r"[\s_-]+", "", known).casefold()
