"""What every kind of rule shares: the rule, what it judges, how a finding is made."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from verifier.lexicon import Name, load
from verifier.models import Block, Claim, Document, Finding, Location, Look, Severity, Verdict

FACT = "fact: "
DECLARED = re.compile(r"\s*\|?\s*D\d+\s*(?:[|：:]|[⚠⚬])")


@dataclass(frozen=True)
class Rule:
    """One rule file entry; `spec` is its kind's own block, `when` the compiled condition on claims."""

    id: str
    slug: str
    kind: str
    severity: Severity
    opens: str
    version: str
    title: Mapping[str, str]
    why: str
    fix: str
    when: Callable[[Claim], bool]
    spec: Mapping[str, Any] = field(default_factory=dict)
    refs: tuple[str, ...] = ()
    tests: tuple[Mapping[str, Any], ...] = ()
    place: str = ""
    was: tuple[str, ...] = ()
    retired: str = ""
    zh: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a document may know it by."""
        return (self.id, self.slug, *self.was)

    @property
    def first(self) -> str:
        """The name that it was born with: records and dismissals hang on it, whatever it is called today."""
        return self.was[0] if self.was else self.id


@dataclass(frozen=True)
class Context:
    """Everything a rule may look at. Nothing here reaches the network."""

    document: Document
    claims: Sequence[Claim]
    evidence: Mapping[str, tuple[Look, ...]]
    as_of: date
    candidates: Sequence[Claim] = ()  # of other documents, about subjects and metrics of this one

    @cached_property
    def _lines(self) -> list[int]:
        text, starts = self.document.text, [0]
        while (at := text.find("\n", starts[-1]) + 1) > 0:
            starts.append(at)
        return starts

    @cached_property
    def _starts(self) -> list[int]:
        return [b.start for b in self.document.blocks]

    @cached_property
    def memo(self) -> dict[tuple[object, ...], object]:
        """What a rule has worked out about this document and may ask again."""
        return {}

    def names(self, block: Block) -> list[Name]:
        """The lexicon's names in a block, found once."""
        key = ("names", block.start)
        if key not in self.memo:
            self.memo[key] = load().names(block.text)
        return self.memo[key]  # type: ignore[return-value]

    def block(self, place: int) -> Block | None:
        """The block that holds a character of the document."""
        found = bisect_right(self._starts, place) - 1
        return self.document.blocks[found] if found >= 0 and place <= self.document.blocks[found].end else None

    @cached_property
    def figures(self) -> dict[tuple[object, ...], list[Claim]]:
        """Claims by `figure`: those that print one number in one unit."""
        out: dict[tuple[object, ...], list[Claim]] = {}
        for claim in self.claims:
            out.setdefault(figure(claim), []).append(claim)
        return out

    @cached_property
    def _by_start(self) -> tuple[list[int], list[Claim]]:
        claims = sorted(self.claims, key=lambda c: c.start)
        return [c.start for c in claims], claims

    def claims_within(self, start: int, end: int) -> list[Claim]:
        """The claims that begin between two characters of the document."""
        starts, claims = self._by_start
        return claims[bisect_left(starts, start) : bisect_left(starts, end)]

    @cached_property
    def ordinals(self) -> dict[int, int]:
        """{start of a claim: how many claims of the same text stand before it}."""
        seen: Counter[str] = Counter()
        out = {}
        for claim in sorted(self.claims, key=lambda c: c.start):
            out[claim.start] = seen[claim.text]
            seen[claim.text] += 1
        return out

    @cached_property
    def flagged(self) -> frozenset[int]:
        """Lines in which the document declares open questions itself: its entries, the rows of their table, its warnings."""
        own = {n for d in self.document.structure.discrepancies for n in range(d.line, d.end_line + 1)}
        own |= {int(warning["line"]) for warning in self.document.structure.warnings}
        return frozenset(own | {b.line for b in self.document.blocks if DECLARED.match(b.text)})

    def line(self, number: int) -> Location:
        """The whole of a line, counted from 1."""
        start = self._lines[number - 1]
        end = self._lines[number] - 1 if number < len(self._lines) else len(self.document.text)
        return self.at(start, max(start, end))

    def at(self, start: int, end: int) -> Location:
        """The place of `text[start:end]`, cut to 200 characters."""
        first, last = bisect_right(self._lines, start), bisect_right(self._lines, max(start, end - 1))
        return Location(document=self.document.path, line=first, end_line=last, text=self.document.text[start : min(end, start + 200)])


def figure(claim: Claim) -> tuple[object, ...]:
    """Unit and numbers without their signs: what a restatement repeats."""
    return (claim.unit, *(abs(n) for n in claim.numbers if isinstance(n, float)))


def block_of(context: Context, claim: Claim) -> Block | None:
    return context.block(claim.start)


def anchor(context: Context, claims: Sequence[Claim]) -> str:
    """What a cause hangs on: the first known of source, subject, document; two sources are never one cause."""
    if not claims:
        return ""
    return claims[0].sources[0].id if claims[0].sources else claims[0].subject or context.document.path


def version_fact(project: str, version: object) -> str:
    """The cause of what is wrong with one version of a project, whichever rule saw it."""
    return f"{FACT}version {project} {version}"


def fact(found: Finding) -> str | None:
    """What a finding shares with others of one cause; None where it stands alone."""
    tail = (found.cause or "").rpartition("|")[2]
    return tail if tail.startswith(FACT) else None


def finding(rule: Rule, context: Context, verdict: Verdict, at: Sequence[Claim | Location], message: str, message_zh: str, *,
            working: Sequence[str] = (), working_zh: Sequence[str] = (), expected: str | None = None, observed: str | None = None,
            cause: str | None = None, evidence: Sequence[Look] = (), note: bool = False, fix: str = "", fix_zh: str = "") -> Finding:  # fmt: skip
    """Build a Finding at claims or other places; the fingerprint names rule, quote and ordinal but no line.

    `note` where this one opens no record though others of the rule do; `fix` where the place tells more than the rule does.
    """
    claims = [c for c in at if isinstance(c, Claim)]
    places = [
        Location(document=context.document.path, line=c.line, end_line=c.end_line, text=c.text) if isinstance(c, Claim) else c for c in at
    ]  # fmt: skip
    about = cause or "|".join(str(x) for x in ((claims[0].metric, claims[0].text) if claims else (places[0].text,)) if x)
    full = "|".join(p for p in (rule.first, anchor(context, claims), about) if p)
    ordinal = context.ordinals.get(claims[0].start, 0) if claims else 0
    quote = " ".join(p.text for p in places)
    print_ = hashlib.sha256("\x1f".join((rule.first, context.document.path, quote, about, str(ordinal))).encode()).hexdigest()[:16]
    shown = tuple({"citation": e.citation, "fetched_at": e.fetched_at, "digest": e.digest, "outcome": e.outcome} for e in evidence)
    return Finding(rule=rule.id, rule_version=rule.version, kind=rule.kind, verdict=verdict, severity=rule.severity, locations=tuple(places),
                   claims=tuple(c.id for c in claims), message=message, message_zh=message_zh, working=tuple(working) or (message,),
                   working_zh=tuple(working_zh) or (message_zh,), expected=expected, observed=observed, evidence=shown, fix=fix or rule.fix,
                   fix_zh=fix_zh or rule.zh.get("fix", rule.fix), cause=full, fingerprint=print_, note=note or rule.opens == "note")  # fmt: skip
