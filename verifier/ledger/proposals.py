"""What a document or a fetched fact says of records that are still open: evidence, and the transition that it suggests.

Nothing is settled here: a proposal waits for somebody to accept or decline it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from verifier.ledger.glance import claim_key
from verifier.ledger.numbers import order
from verifier.ledger.reading import RECORDS_OF
from verifier.ledger.states import causes
from verifier.ledger.tables import CLAIMS, RECORDS
from verifier.ledger.transaction import Writing, chunks
from verifier.models import LIVE, Claim, Discrepancy, Finding

# A segment of text that names a record and says one of these settles it; a bare "closed" does not say how.
SETTLED = (
    (r"已(?:更正|修正|勘误|订正)|(?<!not )(?<!un)(?<!be )\bcorrected\b", "corrected"),
    (r"已(?:证实|核实|确认|验证)|(?<!not )(?<!be )(?<!yet )\b(?:confirmed|verified)\b", "confirmed"),
    (r"已(?:证伪|推翻|否定)|(?<!not )(?<!be )\brefuted\b", "refuted"),
    (r"(?:为|系|属于?|是)误报|\bfalse alarm\b", "false_alarm"),
    (r"(?:来源|论文|原文)已撤(?:回|稿)|\b(?:source|paper) (?:was |is )?(?:withdrawn|retracted)\b", "source_withdrawn"),
    (r"已(?:解决|关闭|闭合|了结)|(?<!not )(?<!be )\b(?:closed|resolved|settled)\b", None),
)
SEGMENT = re.compile(r"[^。；;\n]+")
STANDS = ("fail", "undecided", "error")  # verdicts that keep a cause standing
CONTEXT = "required-context"


class Said(NamedTuple):
    """One thing said of a record: what shows it and, where it is clear, the resolution that it suggests."""

    number: str
    resolution: str | None
    reason: str
    evidence: str


def mentions(text: str, series: str) -> dict[str, list[tuple[int, str]]]:
    """{number: [(line, segment)]} of each record that the text names."""
    found: dict[str, list[tuple[int, str]]] = {}
    name = re.compile(rf"(?<![A-Za-z0-9]){re.escape(series)}([1-9]\d{{0,8}})(?![A-Za-z0-9])")
    for n, line in enumerate(text.split("\n"), 1):
        for segment in SEGMENT.findall(line) if series in line else ():
            for number in dict.fromkeys(name.findall(segment)):
                found.setdefault(f"{series}{number}", []).append((n, segment.strip()))
    return found


def _live(writing: Writing, *more: sa.ColumnElement[bool]) -> list[Discrepancy]:
    """The records that somebody still has to settle, of those asked for."""
    query = sa.select(RECORDS.c.body).where(RECORDS.c.state.in_(LIVE), *more).order_by(RECORDS.c.n, RECORDS.c.number)
    return RECORDS_OF.validate_json(f"[{','.join(writing.db.scalars(query))}]")


def _having(text: str) -> sa.ColumnElement[bool]:
    return RECORDS.c.body.contains(json.dumps(text, ensure_ascii=False), autoescape=True)


def named(writing: Writing, numbers: Iterable[str]) -> list[Discrepancy]:
    """Of these records, the live ones."""
    return [r for some in chunks(numbers) for r in _live(writing, RECORDS.c.n.in_(map(order, some)), RECORDS.c.number.in_(some))]


def by_mention(places: Mapping[str, Sequence[tuple[int, str]]], records: Sequence[Discrepancy], document: str) -> Iterator[Said]:
    """What the document says outright of records that it names."""
    for record in records:
        for line, segment in places.get(record.number, ()):
            hit = next((resolution for pattern, resolution in SETTLED if re.search(pattern, segment, re.IGNORECASE)), "")
            if hit != "":
                yield Said(record.number, hit, segment[:200], f"{document}:{line}")
                break


def by_fact(writing: Writing, findings: Sequence[Finding]) -> Iterator[Said]:
    """What fetched facts now bear out, and what they say of a question that an author asked."""
    borne = {f.cause: f for f in findings if f.verdict == "pass" and f.evidence}
    standing = {f.cause for f in findings if f.verdict in STANDS}
    told = {f.cause: (f, look) for f in findings if f.verdict == "fail" and f.working and (look := _answered(f))}
    for cause, record in writing.holders(told).items():
        if record.state in LIVE and any(e.data.get("declared") for e in writing.events(record.number)):
            found, look = told[cause]
            yield Said(record.number, None, f"{found.message}; {found.working[-1]}", _fetched(look))
    for cause, record in writing.holders(borne.keys() - standing).items():
        if record.state in LIVE:
            yield Said(record.number, "confirmed", borne[cause].message, _fetched(borne[cause].evidence[0]))


def _answered(finding: Finding) -> Mapping[str, object] | None:
    """The first look of a finding's evidence that found something."""
    return next((look for look in finding.evidence if look.get("outcome") == "found"), None)


def _fetched(look: Mapping[str, object]) -> str:
    return f"{look.get('citation')} fetched {look.get('fetched_at')}"


def by_version(writing: Writing, document: str, run: str, findings: Sequence[Finding], claims: Mapping[str, Claim]) -> Iterator[Said]:
    """What this version of the document no longer gets wrong, because it says something else."""
    rows = writing.db.execute(sa.select(CLAIMS.c.id, CLAIMS.c.body).where(CLAIMS.c.document == document))
    before = {row.id: Claim.model_validate_json(row.body) for row in rows}
    altered = {ident for ident, old in before.items() if not _same(old, claims.get(ident))}
    if not altered:
        return
    standing = {f.cause for f in findings if f.verdict in STANDS}
    for record in _live(writing, _having(document)):
        ident = next((c for c in record.claims if c in altered), None)
        if ident is None or document not in record.documents:
            continue
        held = causes(writing.events(record.number))
        if not held or standing.intersection(held):
            continue
        old, new = before[ident], claims.get(ident)
        now = f"says {new.text!r} where it said {old.text!r}" if new and new.text != old.text else "states what was missing"
        reason = f"{document} {now}" if new else f"{document} no longer says {old.text!r}"
        yield Said(record.number, "corrected", reason, f"{document}:{new.line if new else old.line} in run {run}")


def _same(old: Claim, new: Claim | None) -> bool:
    return new is not None and _told(old) == _told(new)


def _told(claim: Claim) -> tuple[object, ...]:
    return claim.text, claim.numbers, {name: condition.value for name, condition in claim.conditions.items()}


def by_context(writing: Writing, document: str, findings: Sequence[Finding], claims: Mapping[str, Claim]) -> Iterator[Said]:
    """The same figure, in another document that states what the record misses."""
    complete = [claims[f.claims[0]] for f in findings if f.kind == CONTEXT and f.verdict == "pass" and f.claims and f.claims[0] in claims]
    stated = {(claim_key(c), repr(c.numbers)): c for c in complete if c.subject}
    for some in chunks(key for key, _ in stated):
        for body in writing.db.scalars(sa.select(CLAIMS.c.body).where(CLAIMS.c.key.in_(some), CLAIMS.c.document != document)):
            old = Claim.model_validate_json(body)
            if new := stated.get((claim_key(old), repr(old.numbers))):
                for record in _live(writing, _having(old.id)):
                    if record.kind == CONTEXT and document not in record.documents:
                        yield Said(record.number, "confirmed", f"{document} states the conditions of {old.text!r}", f"{document}:{new.line}")
