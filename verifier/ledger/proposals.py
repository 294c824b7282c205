"""What a document or a fetched fact says of records that are still open: evidence, and the transition that it suggests.

Nothing is settled here: a proposal waits for somebody to accept or decline it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from verifier.ledger.reading import RECORDS_OF, claim_key
from verifier.ledger.tables import CAUSES, CLAIMS, RECORDS
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


def live(writing: Writing) -> list[Discrepancy]:
    """The records that somebody still has to settle."""
    bodies = writing.db.scalars(sa.select(RECORDS.c.body).where(RECORDS.c.state.in_(LIVE)).order_by(RECORDS.c.n, RECORDS.c.number)).all()
    return RECORDS_OF.validate_json(f"[{','.join(bodies)}]")


def by_mention(named: Mapping[str, Sequence[tuple[int, str]]], records: Sequence[Discrepancy], document: str) -> Iterator[Said]:
    """What the document says outright of records that it names."""
    for record in records:
        for line, segment in named.get(record.number, ()):
            hit = next((resolution for pattern, resolution in SETTLED if re.search(pattern, segment, re.IGNORECASE)), "")
            if hit != "":
                yield Said(record.number, hit, segment[:200], f"{document}:{line}")
                break


def by_version(writing: Writing, document: str, run: str, records: Sequence[Discrepancy], findings: Sequence[Finding],
               claims: Mapping[str, Claim]) -> Iterator[Said]:  # fmt: skip
    """What this version of a document no longer gets wrong, and what fetched facts now bear out."""
    own = [record for record in records if record.cause and document in record.documents]
    if not own:
        return
    standing = {f.cause for f in findings if f.verdict in ("fail", "undecided", "error")}
    borne = {f.cause: f for f in findings if f.verdict == "pass" and f.evidence}
    rows = writing.db.execute(sa.select(CLAIMS.c.id, CLAIMS.c.body).where(CLAIMS.c.document == document))
    before = {row.id: Claim.model_validate_json(row.body) for row in rows}
    for record in own:
        causes = set(writing.db.scalars(sa.select(CAUSES.c.cause).where(CAUSES.c.number == record.number)))
        if causes & standing:
            continue
        if fact := next((borne[c] for c in sorted(causes) if c in borne), None):
            look = fact.evidence[0]
            yield Said(record.number, "confirmed", fact.message, f"{look.get('citation')} fetched {look.get('fetched_at')}")
            continue
        for ident in record.claims:
            old, new = before.get(ident), claims.get(ident)
            if old is None or (new is not None and (new.text, new.numbers, new.conditions) == (old.text, old.numbers, old.conditions)):
                continue
            now = f"says {new.text!r} where it said {old.text!r}" if new and new.text != old.text else "states what was missing"
            reason = f"{document} {now}" if new else f"{document} no longer says {old.text!r}"
            yield Said(record.number, "corrected", reason, f"{document}:{new.line if new else old.line} in run {run}")
            break


def by_context(writing: Writing, document: str, records: Sequence[Discrepancy], findings: Sequence[Finding],
               claims: Mapping[str, Claim]) -> Iterator[Said]:  # fmt: skip
    """The same figure, in another document that states what the record misses."""
    lacking = {c: r for r in records if r.kind == "required-context" and document not in r.documents for c in r.claims}
    complete = [claims[f.claims[0]] for f in findings if f.kind == "required-context" and f.verdict == "pass" and f.claims and f.claims[0] in claims]
    if not lacking or not complete:
        return
    stated: dict[tuple[str, str], Claim] = {(claim_key(c), repr(c.numbers)): c for c in complete}
    for some in chunks(key for key, _ in stated):
        for body in writing.db.scalars(sa.select(CLAIMS.c.body).where(CLAIMS.c.key.in_(some), CLAIMS.c.document != document)):
            old = Claim.model_validate_json(body)
            new = stated.get((claim_key(old), repr(old.numbers)))
            if new and new.subject and (record := lacking.get(old.id)):
                yield Said(record.number, "confirmed", f"{document} states the conditions of {old.text!r}", f"{document}:{new.line}")
