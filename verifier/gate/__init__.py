"""Whether an anchoring may pass. `_judge.py` alone decides; the other files say what it is about."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from verifier.errors import ExitCode
from verifier.gate import _judge
from verifier.gate._anchors import Anchors, prints
from verifier.gate._changes import Change, added_or_altered, committed
from verifier.gate._evidence import verified
from verifier.gate._judge import Grounds, Item
from verifier.gate._matching import match
from verifier.gate._records import Answer, Reason, Records
from verifier.gate._statements import Statement, alike, marks, pairs, statements, stretches
from verifier.gate._statements import plain as bare
from verifier.gate._words import as_run, page, plain, total
from verifier.models import Claim, Document, Finding
from verifier.reconcile import Count, counted, held, newest, stated
from verifier.settings import Policy, Settings

if TYPE_CHECKING:
    from verifier.ledger import Ledger
    from verifier.ledger.glance import Readable
    from verifier.rules import Rule

__all__ = ["Answer", "Gate", "Item", "Reason", "Result", "as_run", "committed", "page", "plain", "restating", "total"]

SAME_PLACE = 0.6  # from here a text took the place of another


@dataclass(frozen=True)
class Result:
    """The answers for one document, in order of place. `unchanged`: how many claims were not judged because nothing about them changed."""

    document: str
    as_of: str
    items: tuple[Item, ...]
    unchanged: int
    rules: str
    evidence: str

    @property
    def code(self) -> ExitCode:
        return _judge.code(self.items)


class Gate:
    """Judges documents against one ledger as of one day."""

    def __init__(self, settings: Settings, ledger: Readable, rules: Sequence[Rule], as_of: date):
        self._settings, self._ledger, self._rules, self._as_of = settings, ledger, rules, as_of
        self._records = Records(ledger.list(), ledger.get, as_of, settings.series)

    def judge(self, document: Document, old: Document | None = None, *, changes_only: bool = False) -> Result:
        """Judge what `document` says that `old` does not (`changes_only`), or whatever of it is not anchored."""
        from verifier.evaluate import evaluate
        from verifier.extract import extract
        from verifier.sources import EvidenceStore, citations

        settings, name = self._settings, document.path
        policy = settings.policy_for(name)
        claims = extract(document)
        said = [s for s in statements(document, claims) if not self._bookkeeping(s.text)]
        earlier = [s for s in statements(old, extract(old)) if not self._bookkeeping(s.text)] if old else []
        anchors = Anchors(settings.root, name)
        own = dict(zip((id(s.claim) for s in said), prints(said), strict=True))
        if changes_only:
            changes = added_or_altered(earlier, said, settings.series)
        else:
            known = anchors.known()
            changes = [Change(s, "not anchored") for s in said if own[id(s.claim)] not in known]
        store = EvidenceStore(settings.root)
        looks = store.as_of(citations(document, claims), self._as_of)
        grounds = Grounds(
            records=self._records, verified=verified(self._ledger, [c.statement for c in changes], settings.root, name, bool(earlier)), standing=said,
            earlier=earlier, evidence=looks, policy=policy, as_of=self._as_of, findings=self._standing(evaluate(self._rules, document, claims, looks, self._as_of)),
        )  # fmt: skip
        baseline = anchors.baseline()
        touched = self._touched(document, old) if changes_only else []
        lost = {first: numbers for first, _, _, numbers in touched}
        items = [_judge.marked(_judge.judge(c, grounds, lost.get(c.statement.first, ())), own[id(c.statement.claim)], baseline) for c in changes]
        items += [_judge.marked(_judge.counted(c), _print(c.stated.text), baseline) for c in self._counts(document, old, changes_only)]
        items += self._named(touched, {i.line for i in items}, policy)
        items.sort(key=lambda i: (i.line, i.claim.start if i.claim else 0))
        digest = _print(*(f"{r.id}\x1f{r.version}" for r in self._rules))
        seen = _print(*(f"{c}\x1f{k.digest or k.outcome}\x1f{k.fetched_at}" for c in sorted(looks) for k in looks[c]))
        return Result(name, self._as_of.isoformat(), tuple(items), len(said) - len(changes), digest, seen)

    def record(self, result: Result, ledger: Ledger, actor: str, now: datetime) -> int:
        """Write the anchor event of what passed: for the claims, and for the settled records that they rest on. How many claims are new."""
        anchors = Anchors(self._settings.root, result.document)
        passed = [i for i in result.items if i.claim and i.answer in ("pass", "pass_with_caveat")]
        claims = [{"print": i.print, "claim": i.claim.id, "line": i.line, "text": i.text, "answer": i.answer,
                   "records": [r.record for r in i.reasons if r.record]} for i in passed if i.claim]  # fmt: skip
        run = _print(result.document, *(i.print for i in result.items))
        event = anchors.record(claims, actor=actor, now=now, run=run, rules=result.rules, evidence=result.evidence)
        if event is None:
            return 0
        for number, place in {n: i.line for i in passed for n in i.rests_on}.items():
            if self._records.resolved(number):
                ledger.transition(number, "anchor", actor=actor, now=now, run=run, document=result.document, place=f"line {place}",
                                        rules=result.rules, evidence=result.evidence)  # fmt: skip
        return len(event["claims"])

    def write_baseline(self, result: Result) -> str:
        """Accept what stands against a document now; says what was kept."""
        anchors = Anchors(self._settings.root, result.document)
        against = [{"print": i.print, "text": i.text, "answer": i.answer} for i in result.items if i.answer in ("block", "could_not_check")]
        kept, left = anchors.write_baseline(against)
        return f"{result.document}: baseline of {kept}" + (f", {left} new ones are not taken in" if left else "")

    def _standing(self, findings: Sequence[Finding]) -> list[Finding]:
        gone = self._ledger.dismissed()
        return [f for f in findings if f.fingerprint not in gone]

    def _bookkeeping(self, text: str) -> bool:
        """A row or bullet that begins with a record's number is about the record; a line that states counts is about the document."""
        lead = bare(text)[:8].upper()
        return bool(re.match(rf"{self._settings.series}~?\d", lead)) or bool(stated(text))

    def _counts(self, document: Document, old: Document | None, changes_only: bool) -> list[Count]:
        """The counts that a change states; without one, or where policy asks for it, those that were stated last."""
        there = stated(document.text)
        before = held(old.text) if old else None
        last = newest(there)
        if not changes_only:
            return counted(last, held(document.text))
        known = {bare(line) for line in old.text.split("\n")} if old else set()
        lines = document.text.split("\n")
        fresh = [s for s in there if bare(lines[s.line - 1]) not in known]
        more = [s for s in last if s not in fresh] if self._settings.policy_for(document.path).reconcile else []
        return counted(fresh, held(document.text), before) + counted(more, held(document.text))

    def _touched(self, document: Document, old: Document | None) -> list[tuple[int, int, str, tuple[str, ...]]]:
        """(first line, last line, text, records that the words in its place named and it does not) of each changed stretch."""
        series = self._settings.series
        before = [text for _, _, text in stretches(old)] if old else []
        known = {bare(text) for text in before}
        noted = [(pairs(t), t) for t in before if marks(t, series) and not self._bookkeeping(t)]
        found = []
        for first, last, text in stretches(document):
            if bare(text) not in known and not self._bookkeeping(text):
                nearest = max(noted, key=lambda n: alike(n[0], pairs(text)), default=None)
                near = nearest is not None and alike(nearest[0], pairs(text)) >= SAME_PLACE
                lost = tuple(n for n in marks(nearest[1], series) if n not in marks(text, series)) if nearest and near else ()
                found.append((first, last, text, lost))
        return found

    def _named(self, touched: Sequence[tuple[int, int, str, tuple[str, ...]]], judged: set[int], policy: Policy) -> list[Item]:
        """Records that changed words without a number name, or no longer name."""
        found = []
        for first, last, text, lost in touched:
            if judged & set(range(first, last + 1)):
                continue
            reasons = [r for n in (*marks(text, self._settings.series), *lost) if (r := self._records.asks(n, text, policy))]
            if reasons:
                reasons.sort(key=lambda r: -_judge.RANK.index(r.answer))
                found.append(Item(first, " ".join(text.split())[:80], "altered" if lost else "added", tuple(reasons)))
        return found


def restating(living: Document) -> Callable[[Document, Claim], Claim | None]:
    """A search for the claim of `living` that restates a claim of a briefing."""
    from verifier.extract import extract

    standing = statements(living, extract(living))
    told: dict[str, dict[str, Statement]] = {}

    def find(briefing: Document, claim: Claim) -> Claim | None:
        if briefing.path not in told:
            told[briefing.path] = {s.claim.id: s for s in statements(briefing, extract(briefing))}
        found = match(told[briefing.path][claim.id], standing)
        return found.verified.claim if found and found.relation != "other" else None

    return find


def _print(*parts: str) -> str:
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:16]
