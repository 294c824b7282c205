"""What a run leaves in the ledger: imported entries, stubs, one record for each new cause."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from difflib import SequenceMatcher
from itertools import chain
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from verifier.family import member
from verifier.ledger import events as history
from verifier.ledger import proposals
from verifier.ledger.places import declaration, places
from verifier.ledger.states import fold
from verifier.ledger.tables import DISMISSED, RECORDS
from verifier.models import LIVE, SEVERITIES, Carried, Claim, Declared, Discrepancy, Event, Finding, Recorded

if TYPE_CHECKING:
    from verifier.ledger.transaction import Writing

STUBS = 2000  # a carried range may name this many numbers
ALIKE = 0.6  # titles that share this part of their pairs of characters mean one entry
LEAP = 10_000  # a declared number this far above the highest known is a slip of the pen
PHRASE = 8  # characters in a row that two texts do not share by chance
NUMERAL = re.compile(r"(?<![A-Za-z\d.])(\d+(?:\.\d+){2,}|\d[\d,]*(?:\.\d+)?)\s*(%|％|[×xX]|倍)?")

DOUBT = (
    "was numbered here by a run, yet the briefing carries {first}–{last}, some of which this ledger has never met: it may be another record "
    "of the group's; `verify ledger undo RUN`, `verify d import` the briefing, then run again"
)


class Recording:
    """One run within one writing transaction."""

    def __init__(self, writing: Writing, document: str, run: str, actor: str, now: datetime, recheck_by: str, topic: str | None):
        self._writing, self._document, self._run, self._actor, self._now, self._recheck = writing, document, run, actor, now, recheck_by
        self._topic = {"topic": topic} if topic else {}
        self._claims: dict[str, Claim] = {}
        self._text = ""
        self._out: dict[str, Recorded] = {}

    def take_over(self, declared: Sequence[Declared], carried: Sequence[Carried]) -> list[Recorded]:
        """Import what a document declares, and nothing else."""
        for entry in declared:
            self._import(entry, [], [], {})
        self._carry(carried, {entry.number for entry in declared})
        return list(self._out.values())

    def record(self, findings: Sequence[Finding], declared: Sequence[Declared], carried: Sequence[Carried], claims: Sequence[Claim],
               text: str = "") -> list[Recorded]:  # fmt: skip
        db = self._writing.db
        gone = set(db.scalars(sa.select(DISMISSED.c.fingerprint)))
        by_cause: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.verdict == "fail" and not finding.note and not finding.suppressed and finding.fingerprint not in gone:
                by_cause.setdefault(finding.cause, []).append(finding)
        known = {cause: record.number for cause, record in self._writing.holders(by_cause).items()}
        self._claims, self._text = {claim.id: claim for claim in claims}, text
        texts = {ident: claim.text for ident, claim in self._claims.items()}
        ties: dict[int, list[str]] = {}
        for cause, group in by_cause.items():
            entry = next((e for e in declared if any(restates(e, f, texts) for f in group)), None)
            if entry is not None and known.get(cause) in (None, self._name(entry.number)):
                ties.setdefault(entry.number, []).append(cause)
        for entry in declared:
            tied = ties.get(entry.number, [])
            if self._import(entry, tied, [f for c in tied for f in by_cause[c]], known):
                known.update(dict.fromkeys(tied, self._name(entry.number)))
        self._carry(carried, {entry.number for entry in declared})
        self._settling(findings, text)
        for cause, group in by_cause.items():
            self._cause(cause, group, known.get(cause))
        return list(self._out.values())

    def _settling(self, findings: Sequence[Finding], text: str) -> None:
        """Carry open records that the text names, and propose what it or a fetched fact settles."""
        writing, document = self._writing, self._document
        places = proposals.mentions(text, writing.series)
        records = proposals.named(writing, places)
        for record in records:
            self._once(record.number, "carry", ("carry", "open"), documents=[document])
            self._say(record.number, "carried", record.title)
        said = chain(
            proposals.by_mention(places, records, document),
            proposals.by_fact(writing, findings),
            proposals.by_version(writing, document, self._run, findings, self._claims),
            proposals.by_context(writing, document, findings, self._claims),
        )
        for one in said:
            before = writing.events(one.number)
            if any(one.evidence == e.data.get("evidence") for e in before) or fold(one.number, before).proposed:
                continue
            fields = {"evidence": one.evidence, **({"resolution": one.resolution} if one.resolution else {})}
            made = history.make(one.number, "propose" if one.resolution else "evidence", now=self._now, actor=self._actor, after=before,
                                run=self._run, reason=one.reason, data=fields)  # fmt: skip
            writing.append(made, before)

    def _name(self, n: int) -> str:
        return f"{self._writing.series}{n}"

    def _say(self, number: str, what: Any, title: str, warning: str | None = None) -> None:
        self._out.setdefault(number, Recorded(number=number, what=what, title=title, warning=warning))

    def _add(self, number: str, event: str, before: Sequence[Event], **data: Any) -> None:
        made = history.make(number, event, now=self._now, actor=self._actor, after=before, run=self._run, data=data)
        self._writing.append(made, before)

    def _once(self, number: str, event: str, same: Sequence[str], *, fresh: bool = False, **data: Any) -> None:
        """Add the event unless this run's document has left one of `same` on the record."""
        before = self._writing.events(number)
        if fresh or not any(e.run == self._run and e.event in same for e in before):
            self._add(number, event, before, **data)

    def _import(self, entry: Declared, causes: list[str], findings: list[Finding], known: dict[str, str]) -> bool:
        """Adopt, carry or refuse one declared entry; true if the number means what the document says."""
        number = self._name(entry.number)
        if entry.number < 1 or entry.number > self._writing.highest() + LEAP:
            self._out[f"{number} conflict"] = Recorded(number=number, what="conflict", title=f"{entry.title} (far from every known number)")
            return False
        before = self._writing.events(number)
        record = fold(number, before) if before else None
        what = self._data(findings)
        if record is None or record.state in ("unknown", "reserved"):
            fields = {k: v for k in ("mark", "problem", "impact", "suggestion") if (v := getattr(entry, k))}
            kind = findings[0].kind if findings else "manual"
            what["documents"] = [self._document]
            what["places"] = [declaration(self._document, entry), *what.get("places", ())]
            self._add(number, "open", before, declared=True, title=entry.title, severity=entry.severity or "low", recheck_by=self._recheck,
                      kind=kind, **({"cause": causes[0], "causes": causes} if causes else {}), **self._topic, **what, **fields)  # fmt: skip
            self._say(number, "imported", entry.title)
            return True
        if record.state == "void" or not (means(record, entry) or any(known.get(c) == number for c in causes)):
            title = f"here: {entry.title}; in the ledger: {record.title or record.state}"
            self._once(number, "conflict", ("conflict",), document=self._document, here=entry.title)
            self._out[f"{number} conflict"] = Recorded(number=number, what="conflict", title=title)
            return False
        self._once(number, "carry", ("carry", "open"), documents=[self._document])
        if causes:
            new = [c for c in causes if c not in known]
            data: dict[str, Any] = {"cause": causes[0], "causes": causes, **what}
            self._once(number, "seen_again", ("seen_again", "open"), fresh=bool(new), **data)
        self._say(number, "carried", entry.title)
        return True

    def _carry(self, carried: Sequence[Carried], declared: set[int]) -> None:
        """Stubs keep carried numbers from being handed out; a number that is alive is carried."""
        for span in carried:
            last = min(span.last, span.first + STUBS - 1)
            if span.first < 1 or span.first > self._writing.highest() + LEAP:
                continue
            rows = self._writing.db.execute(sa.select(RECORDS.c.number, RECORDS.c.state, RECORDS.c.body).where(RECORDS.c.n.between(span.first, last)))
            states = {row.number: (row.state, row.body) for row in rows}
            older = any(self._name(n) not in states for n in range(span.first, last + 1))  # of a series that this ledger has not met
            for n in range(span.first, last + 1):
                number = self._name(n)
                state, body = states.get(number, (None, ""))
                if n in declared:
                    continue
                if state is None:
                    self._add(number, "stub", (), title="", documents=[self._document])
                elif state in LIVE:
                    self._once(number, "carry", ("carry", "open"), documents=[self._document])
                    record = Discrepancy.model_validate_json(body)
                    doubt = older and record.documents != (self._document,) and opened_by_run(self._writing.events(number))
                    self._say(
                        number, "carried", record.title, DOUBT.format(first=self._name(span.first), last=self._name(span.last)) if doubt else None
                    )

    def _cause(self, cause: str, group: list[Finding], number: str | None) -> None:
        what = self._data(group)
        what["documents"] = [self._document]
        if number is not None:
            self._once(number, "seen_again", ("seen_again", "open"), cause=cause, **what)
            self._say(number, "seen_again", group[0].message)
            return
        number, before = self._writing.fresh(self._actor, self._now.date().isoformat(), cause)
        severity = max((f.severity for f in group), key=SEVERITIES.index)
        first = group[0].locations[0]
        problem = f"{first.document} 第 {first.line} 行「{first.text}」：{group[0].message_zh}"
        self._add(number, "open", before, title=group[0].message, title_zh=group[0].message_zh, severity=severity, recheck_by=self._recheck, kind=group[0].kind, cause=cause,
                  problem=problem, suggestion=group[0].fix_zh or group[0].fix, **self._topic, **what)  # fmt: skip
        self._say(number, "opened", group[0].message)

    def _data(self, findings: Sequence[Finding]) -> dict[str, Any]:
        claims = list(dict.fromkeys(c for f in findings for c in f.claims))
        sources = [f"{s.kind}:{s.id}" for c in claims if c in self._claims for s in self._claims[c].sources]
        return {
            "findings": list(dict.fromkeys(f.fingerprint for f in findings)),
            "documents": [],
            "claims": claims,
            **({"sources": list(dict.fromkeys(sources))} if sources else {}),
            **({"places": found} if (found := places(findings, self._claims, self._text)) else {}),
        }


def opened_by_run(events: Sequence[Event]) -> bool:
    """Whether the program itself numbered it, for a finding that no document had declared."""
    return any(e.event == "open" and e.run and not e.data.get("declared") for e in events)


def means(record: Discrepancy, entry: Declared) -> bool:
    """Whether a declared entry is about the record, in either language."""
    return any(alike(title, entry.title) for title in (record.title, record.title_zh) if title)


def alike(a: str, b: str) -> bool:
    """Whether two titles mean the same entry: what stands in brackets, width, case and a few words apart."""
    left, right = _bare(a), _bare(b)
    if left == right or (min(len(left), len(right)) >= 8 and (left in right or right in left)):
        return True
    pairs, others = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (left, right))
    return len(pairs & others) >= ALIKE * max(1, len(pairs), len(others))


def _bare(title: str) -> str:
    text = unicodedata.normalize("NFKC", title).casefold()
    outside = re.sub(r"\([^()]*\)", "", text)
    return "".join(c for c in (outside if outside.strip() else text) if c.isalnum() or c in ".%×+-")


def restates(entry: Declared, finding: Finding, texts: dict[str, str]) -> bool:
    """Whether a declared entry speaks of what the finding's kind judges (its TOPIC) and repeats a number or a phrase of it."""
    text = f"{entry.title} {entry.problem or ''}"
    topic = getattr(member("verifier.rules", finding.kind), "TOPIC", None)
    if topic is None or not re.search(topic, text, re.IGNORECASE):
        return False
    quotes = [texts[c] for c in finding.claims if c in texts]
    said = _telling(text)
    if quotes:
        return any(_telling(quote) & said for quote in quotes)
    places = [place.text for place in finding.locations]
    return any(_telling(place) & said or _shares(place, text) for place in places)


def _shares(one: str, two: str) -> bool:
    return SequenceMatcher(None, one, two, autojunk=False).find_longest_match().size >= PHRASE


def _telling(text: str) -> set[str]:
    """The numerals that single a claim out: three digits or more, or a percentage or factor; no years."""
    found = set()
    for match in NUMERAL.finditer(unicodedata.normalize("NFKC", text)):
        number, mark = match[1].replace(",", "").rstrip("."), match[2] or ""
        if mark or (sum(c.isdigit() for c in number) >= 3 and not re.fullmatch(r"20[12]\d", number)):
            found.add(number + ("" if not mark else "%" if mark == "%" else "×"))
    return found
