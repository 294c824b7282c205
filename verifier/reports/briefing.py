"""One page for one run: the claims in their text, coloured by verdict, findings beside, for the writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from verifier.models import SEVERITIES, Claim, Document, Finding
from verifier.reports._cards import MARKS, record_link
from verifier.reports._words import words

WORST = ("fail", "error", "undecided", "pass")  # of several verdicts on one claim this one colours it
STANDS = ("fail", "error", "undecided")


class Piece(NamedTuple):
    """A stretch of a line; `verdict` is empty where it is no claim."""

    text: str
    verdict: str = ""


class Line(NamedTuple):
    number: int
    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Briefing:
    """`numbers`: the record that each cause has in the ledger. `false`: fingerprints of false alarms."""

    document: Document
    claims: Sequence[Claim]
    judged: Sequence[Finding]
    as_of: str
    numbers: Mapping[str, str]
    false: Collection[str]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """{claim: its worst verdict}; `unchecked` where no rule judged it."""
        found: dict[str, str] = {}
        for finding in self.judged:
            if finding.verdict in WORST and not self.suppressed(finding):
                for claim in finding.claims:
                    found[claim] = min(found.get(claim, "pass"), finding.verdict, key=WORST.index)
        return {claim.id: found.get(claim.id, "unchecked") for claim in self.claims}

    @cached_property
    def shown(self) -> list[Finding]:
        """What stands against the text or could not be decided, with the numbers of the ledger."""
        found = [f.model_copy(update={"discrepancy": self.numbers.get(f.cause)}) for f in self.judged if f.verdict in STANDS]
        return sorted(found, key=lambda f: (f.locations[0].line, STANDS.index(f.verdict), -SEVERITIES.index(f.severity), f.rule))

    @cached_property
    def counts(self) -> Counter[str]:
        return Counter(f.verdict for f in self.shown if not self.suppressed(f))

    def suppressed(self, finding: Finding) -> bool:
        return bool(finding.suppressed) or finding.fingerprint in self.false

    def lines(self) -> Iterator[Line]:
        beside: dict[int, list[Finding]] = {}
        for finding in self.shown:
            beside.setdefault(finding.locations[0].line, []).append(finding)
        on: dict[int, list[Claim]] = {}
        for claim in self.claims:
            on.setdefault(claim.line, []).append(claim)
        for number, (start, text) in enumerate(zip(self.document.line_starts, self.document.text.split("\n"), strict=True), 1):
            if text.strip() or number in beside:
                yield Line(number, tuple(self._pieces(start, text, on.get(number, ()))), tuple(beside.get(number, ())))

    def _pieces(self, start: int, text: str, claims: Sequence[Claim]) -> Iterator[Piece]:
        """The line cut at its claims; of two that overlap the worse is coloured."""
        at = 0
        order = ("fail", "error", "undecided", "pass", "unchecked")
        chosen: list[Claim] = []
        for claim in sorted(claims, key=lambda c: (order.index(self.verdicts[c.id]), c.start)):
            if all(claim.end <= other.start or claim.start >= other.end for other in chosen):
                chosen.append(claim)
        for claim in sorted(chosen, key=lambda c: c.start):
            left, right = claim.start - start, min(claim.end - start, len(text))
            yield Piece(text[at:left])
            yield Piece(text[left:right], self.verdicts[claim.id])
            at = right
        yield Piece(text[at:])

    def html(self, lang: str, base: str) -> str:
        from verifier.reports import _html

        say = words(lang)
        linked = {f.fingerprint: record_link(f.discrepancy, base) for f in self.shown if f.discrepancy}
        tally = Counter(self.verdicts.values())
        legend = [(v, say("b_unchecked") if v == "unchecked" else say(f"t_{v}"), tally[v]) for v in (*WORST, "unchecked") if tally[v] or v != "error"]
        return _html.render("briefing.html", made=self, say=say, lang=lang, linked=linked, legend=legend, marks=MARKS, lines=list(self.lines()))
