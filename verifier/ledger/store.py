"""The append-only log on SQLite or PostgreSQL; one writing transaction at a time hands out numbers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from verifier.errors import Diverged, LedgerError
from verifier.ledger import events as history
from verifier.ledger import recording
from verifier.ledger.mirror import Line, Mirror
from verifier.ledger.states import MOVES, check, fold
from verifier.ledger.tables import CAUSES, CLAIMS, COUNTER, DISMISSED, EVENTS, INFO, META, RECORDS, SCHEMA, engine
from verifier.models import LIVE, Carried, Claim, Declared, Discrepancy, Event, Finding, Recorded, Severity, State, to_json


def claim_key(claim: Claim) -> str:
    """What may be compared at all: subject, metric and unit."""
    return "|".join(str(x or "").lower() for x in (claim.subject, claim.metric, claim.unit))


class Writing:
    """A writing transaction: what it appends becomes visible, and is mirrored, all together or not at all."""

    def __init__(self, db: sa.Connection, series: str):
        self.db, self.series, self.written = db, series, list[Line]()

    def events(self, number: str) -> list[Event]:
        rows = self.db.scalars(sa.select(EVENTS.c.body).where(EVENTS.c.number == number).order_by(EVENTS.c.seq))
        return [Event.model_validate_json(body) for body in rows]

    def next(self) -> str:
        last = self.db.execute(
            COUNTER.update().where(COUNTER.c.series == self.series).values(last=COUNTER.c.last + 1).returning(COUNTER.c.last)
        ).scalar_one()
        return f"{self.series}{last}"

    def highest(self) -> int:
        return int(self.db.execute(sa.select(COUNTER.c.last).where(COUNTER.c.series == self.series)).scalar_one())

    def append(self, event: Event, before: Sequence[Event]) -> None:
        line = Line(event, to_json(event))
        self.insert(line)
        self.project(event.number, [*before, event])
        self.written.append(line)

    def insert(self, line: Line) -> None:
        """One event into the log, with the causes and dismissals that it brings or ends."""
        event, db = line.event, self.db
        db.execute(EVENTS.insert().values(id=event.id, number=event.number, op_id=event.op_id, body=line.body))
        if event.event == "void":
            db.execute(CAUSES.delete().where(CAUSES.c.number == event.number))
        causes = dict.fromkeys((event.data.get("cause"), *event.data.get("causes", ())))
        for cause in filter(None, causes):
            if db.scalar(sa.select(CAUSES.c.number).where(CAUSES.c.cause == cause)) is None:
                db.execute(CAUSES.insert().values(cause=cause, number=event.number))
        mark = event.data.get("fingerprint") if event.event == "dismiss" else None
        if mark and db.scalar(sa.select(DISMISSED.c.number).where(DISMISSED.c.fingerprint == mark)) is None:
            db.execute(DISMISSED.insert().values(fingerprint=mark, number=event.number))

    def project(self, number: str, events: Sequence[Event]) -> None:
        """The record's row, and the counter past its number."""
        record = fold(number, events)
        n = int(number.removeprefix(self.series))
        body = to_json(record.model_copy(update={"events": ()}))
        row = {"n": n, "state": record.state, "severity": record.severity, "owner": record.owner, "body": body}
        if not self.db.execute(RECORDS.update().where(RECORDS.c.number == number).values(**row)).rowcount:
            self.db.execute(RECORDS.insert().values(number=number, **row))
        self.db.execute(COUNTER.update().where(COUNTER.c.series == self.series, COUNTER.c.last < n).values(last=n))


class Ledger:
    """Use as a context manager: `with Ledger.open(root) as ledger: …`."""

    def __init__(self, made: sa.Engine, mirror: Mirror, series: str):
        self._engine, self._mirror, self._series = made, mirror, series

    @classmethod
    def open(cls, root: Path, url: str | None = None, series: str = "D", *, mend: bool = True) -> Ledger:
        """Open or make the ledger; unless `mend` is false, bring database and mirror into step.

        Raises LedgerError, or Diverged where the two tell different stories.
        """
        try:
            ledger = cls(engine(root, url), Mirror(root / "claims" / "ledger"), series)
        except (sa.exc.ArgumentError, ModuleNotFoundError, OSError) as error:
            raise LedgerError(f"the ledger cannot be used: {error}; check the folder or VERIFY_LEDGER") from None
        try:
            ledger._prepare(mend)
        except BaseException:
            ledger._engine.dispose()
            raise
        return ledger

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.dispose()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            cause = str(getattr(error, "orig", error)).strip().splitlines()
            raise LedgerError(f"the ledger cannot be used: {cause[0] if cause else error}; check the file or VERIFY_LEDGER") from None

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._said(), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[Writing]:
        with self._said(), self._engine.execution_options(writes=True).begin() as db:
            if db.dialect.name == "postgresql":
                db.execute(sa.text("SELECT pg_advisory_xact_lock(7215)"))
            writing = Writing(db, self._series)
            yield writing
        if writing.written:
            self._mirror.append(writing.written)

    def _prepare(self, mend: bool) -> None:
        with self._writing() as writing:
            db = writing.db
            there = sa.inspect(db).has_table("info")
            found = db.scalar(sa.select(INFO.c.value).where(INFO.c.name == "schema")) if there else None
            if found and int(found) > SCHEMA:
                raise LedgerError(f"the ledger has schema {found}, this program knows {SCHEMA}; use a newer verify")
            if found != str(SCHEMA):
                META.create_all(db)
                db.execute(INFO.delete().where(INFO.c.name == "schema"))
                db.execute(INFO.insert().values(name="schema", value=str(SCHEMA)))
            if db.scalar(sa.select(COUNTER.c.last).where(COUNTER.c.series == self._series)) is None:
                db.execute(COUNTER.insert().values(series=self._series, last=0))
            if found == "1":
                for record in self._folded(db):
                    writing.project(record.number, record.events)
            if mend:
                self._catch_up(writing)

    # ------------------------------------------------------------ database and mirror

    def _stored(self, db: sa.Connection) -> dict[str, Line]:
        rows = db.scalars(sa.select(EVENTS.c.body).order_by(EVENTS.c.seq))
        return {line.event.id: line for line in (Line(Event.model_validate_json(body), body) for body in rows)}

    def _catch_up(self, writing: Writing) -> None:
        mirrored = {line.event.id: line for line in self._mirror.lines()}
        stored = self._stored(writing.db)
        both = {**stored, **mirrored}
        if problems := self._problems(both):
            raise Diverged(problems[0])
        missing = [line for ident, line in mirrored.items() if ident not in stored]
        self._restore(writing, missing, both)
        if behind := [line for ident, line in stored.items() if ident not in mirrored]:
            self._mirror.append(behind)

    def _restore(self, writing: Writing, lines: Sequence[Line], known: dict[str, Line]) -> None:
        by_id = {line.event.id: line for line in lines}
        for event in history.ordered([line.event for line in lines]):
            writing.insert(by_id[event.id])
        grouped = _grouped(known)
        for number in {line.event.number for line in lines}:
            writing.project(number, grouped[number])

    def _problems(self, known: dict[str, Line]) -> list[str]:
        """What makes the history contradict itself: a missing parent, two changes of state from one place."""
        found = []
        for number, events in _grouped(known).items():
            path = self._mirror.path(number)
            for event in events:
                if lost := [p for p in event.parents if p not in known]:
                    found.append(f"{path}: event {event.id} follows {lost[0]}, which is missing; restore it from git")
            if pair := history.conflict(events, MOVES):
                a, b = (f"{e.event} by {e.actor} at {e.at} ({e.id})" for e in pair)
                found.append(f"{path}: two conflicting changes of {number}: {a}, and {b}; keep one line, then `verify ledger rebuild`")
        return found

    def check(self) -> list[str]:
        """What is wrong between database and mirror, each in a sentence; empty when they tell one story."""
        try:
            mirrored = {line.event.id: line for line in self._mirror.lines()}
        except LedgerError as error:
            return [str(error)]
        with self._reading() as db:
            stored = self._stored(db)
        found = self._problems({**stored, **mirrored})
        if ahead := len(stored.keys() - mirrored.keys()):
            found.append(f"{self._mirror.folder}: lacks {ahead} events that the database has; the next start adds them")
        if behind := len(mirrored.keys() - stored.keys()):
            found.append(f"the database lacks {behind} events that {self._mirror.folder} has; the next start adds them")
        return found

    def rebuild(self) -> list[str]:
        """Make the database anew from the mirror; events that only the database has are kept where they fit.

        Returns a sentence for each event that contradicted the mirror and was left out.
        """
        kept = {line.event.id: line for line in self._mirror.lines()}
        left: list[str] = []
        with self._writing() as writing:
            stored = self._stored(writing.db)
            spare = [line.event for ident, line in stored.items() if ident not in kept]
            for event in history.ordered(spare):
                trial = {**kept, event.id: stored[event.id]}
                if self._problems({i: line for i, line in trial.items() if line.event.number == event.number}):
                    left.append(f"{event.number}: {event.event} by {event.actor} at {event.at} ({event.id}) contradicts the mirror")
                else:
                    kept = trial
            if problems := self._problems(kept):
                raise Diverged(problems[0])
            for table in (EVENTS, RECORDS, CAUSES, DISMISSED):
                writing.db.execute(table.delete())
            writing.db.execute(COUNTER.update().where(COUNTER.c.series == self._series).values(last=0))
            self._restore(writing, list(kept.values()), kept)
        self._mirror.append(kept.values())
        return left

    # ------------------------------------------------------------ reading

    def _folded(self, db: sa.Connection) -> list[Discrepancy]:
        grouped = _grouped(self._stored(db))
        return [fold(n, grouped[n]) for n in sorted(grouped, key=lambda n: int(n.removeprefix(self._series)))]

    def records(self) -> list[Discrepancy]:
        """All records with their events, by number."""
        with self._reading() as db:
            return self._folded(db)

    def get(self, number: str) -> Discrepancy:
        with self._reading() as db:
            events = Writing(db, self._series).events(number)
        if not events:
            raise LedgerError(f"{number}: no such record; `verify d list` shows them")
        return fold(number, events)

    def overdue(self, day: str) -> list[Discrepancy]:
        """Live records whose recheck day has passed."""
        return [r for s in LIVE for r in self.list(s) if r.recheck_by and r.recheck_by < day]

    def find_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        """Verified claims about the same subject, metric and unit as any of these."""
        keys = sorted({claim_key(c) for c in claims})
        found: list[Claim] = []
        with self._reading() as db:
            for at in range(0, len(keys), 500):
                rows = db.scalars(sa.select(CLAIMS.c.body).where(CLAIMS.c.key.in_(keys[at : at + 500])))
                found += [Claim.model_validate_json(body) for body in rows]
        return found

    def verified(self, document: str) -> dict[str, dict[str, Any]]:
        """The claims of the document's last recorded run, by id."""
        with self._reading() as db:
            rows = db.execute(sa.select(CLAIMS.c.id, CLAIMS.c.body).where(CLAIMS.c.document == document))
            return {row.id: json.loads(row.body) for row in rows}

    def anchors(self, document: str) -> list[Event]:
        """The anchor events of a document."""
        with self._reading() as db:
            bodies = db.scalars(sa.select(EVENTS.c.body).where(EVENTS.c.body.contains('"event":"anchor"')).order_by(EVENTS.c.seq))
            found = [Event.model_validate_json(body) for body in bodies]
        return [e for e in found if e.event == "anchor" and e.data.get("document") == document]

    def dismissed(self) -> set[str]:
        """Fingerprints of findings that somebody called false alarms."""
        with self._reading() as db:
            return set(db.scalars(sa.select(DISMISSED.c.fingerprint)))

    # ------------------------------------------------------------ writing

    def remember_claims(self, document: str, digest: str, claims: Sequence[Claim], run: str) -> None:
        """Keep a run's claims as verified; the document's earlier ones are replaced."""
        rows = {c.id: {"document": document, "id": c.id, "key": claim_key(c), "digest": digest, "run": run, "body": to_json(c)} for c in claims}
        with self._writing() as writing:
            writing.db.execute(CLAIMS.delete().where(CLAIMS.c.document == document))
            if rows:
                writing.db.execute(CLAIMS.insert(), list(rows.values()))

    def transition(self, number: str, event: str, *, actor: str, now: datetime, reason: str | None = None, op_id: str | None = None,
                   run: str | None = None, **data: Any) -> Discrepancy:  # fmt: skip
        """Append one event to a record; raises LedgerError naming what is missing or allowed."""
        with self._writing() as writing:
            before = writing.events(number)
            if not before:
                raise LedgerError(f"{number}: no such record; `verify d list` shows them")
            if _repeated(writing, op_id, event, number):
                return fold(number, before)
            self._add(writing, number, event, before, actor, now, reason, op_id, run, data)
        return self.get(number)

    def _add(self, writing: Writing, number: str, event: str, before: Sequence[Event], actor: str, now: datetime, reason: str | None,
             op_id: str | None, run: str | None, data: dict[str, Any]) -> None:  # fmt: skip
        if not actor:
            raise LedgerError(f"{number}: {event} needs actor")
        check(number, before, event, {**data, "reason": reason, "run": run}, now.date().isoformat())
        made = history.make(number, event, now=now, actor=actor, after=before, run=run, reason=reason, op_id=op_id, data=data)
        writing.append(made, before)

    def open_record(self, *, actor: str, now: datetime, op_id: str | None = None, reason: str | None = None, **data: Any) -> Discrepancy:
        """A record under the next number: title, severity, recheck_by, documents or claims; kind is "manual" unless given."""
        with self._writing() as writing:
            number = _repeated(writing, op_id, "open")
            if number is None:
                cause = data.get("cause")
                if cause and (held := writing.db.scalar(sa.select(CAUSES.c.number).where(CAUSES.c.cause == cause))):
                    raise LedgerError(f"{held}: has this cause already; add to it, or void it first")
                number = writing.next()
                self._add(writing, number, "open", (), actor, now, reason, op_id, None, {"kind": "manual", **data})
        return self.get(number)

    def reserve(self, count: int, *, holder: str, expires: str, actor: str, now: datetime) -> list[str]:
        """The next numbers, kept for work without this database."""
        if not 1 <= count <= 1000:
            raise LedgerError(f"reserve {count}: from 1 to 1000 numbers at once")
        with self._writing() as writing:
            numbers = [writing.next() for _ in range(count)]
            for number in numbers:
                self._add(writing, number, "reserve", (), actor, now, None, None, None, {"holder": holder, "expires": expires})
        return numbers

    def dismiss(self, fingerprint: str, *, actor: str, now: datetime, reason: str, evidence: str = "") -> Discrepancy:
        """Call a finding a false alarm; its record is settled once all its findings are. Honoured by every later run."""
        with self._writing() as writing:
            held = writing.db.scalars(sa.select(RECORDS.c.body).where(RECORDS.c.body.contains(fingerprint, autoescape=True)))
            record = next((r for r in map(Discrepancy.model_validate_json, held) if fingerprint in r.findings), None)
            if record is None:
                raise LedgerError(f"{fingerprint}: no record has this finding; `verify d show` lists a record's findings")
            gone = set(writing.db.scalars(sa.select(DISMISSED.c.fingerprint))) | {fingerprint}
            before = writing.events(record.number)
            if not any(e.event == "dismiss" and e.data.get("fingerprint") == fingerprint for e in before):
                self._add(writing, record.number, "dismiss", before, actor, now, reason, None, None, {"fingerprint": fingerprint})
            if record.state in LIVE and gone.issuperset(record.findings):
                data = {"resolution": "false_alarm", "evidence": evidence or fingerprint}
                self._add(writing, record.number, "resolve", writing.events(record.number), actor, now, reason, None, None, data)
        return self.get(record.number)

    def record_run(self, findings: Sequence[Finding], document: str, *, run: str, actor: str, now: datetime, recheck_by: str,
                   declared: Sequence[Declared] = (), carried: Sequence[Carried] = (), claims: Sequence[Claim] = (),
                   topic: str | None = None) -> list[Recorded]:  # fmt: skip
        """One transaction: import what the briefing declares, then one record for each new cause. Idempotent by cause and run."""
        with self._writing() as writing:
            done = recording.Recording(writing, document, run, actor, now, recheck_by, topic)
            return done.record(findings, declared, carried, claims)

    def take_over(self, document: str, *, run: str, actor: str, now: datetime, recheck_by: str, declared: Sequence[Declared],
                  carried: Sequence[Carried], topic: str | None = None) -> list[Recorded]:  # fmt: skip
        """Import the numbers that a document declares or carries; one that means something else is reported and left."""
        with self._writing() as writing:
            return recording.Recording(writing, document, run, actor, now, recheck_by, topic).take_over(declared, carried)

    # Last, because it hides the built-in for annotations below it.
    def list(self, state: State | None = None, severity: Severity | None = None, owner: str | None = None) -> list[Discrepancy]:
        """Records without their events, by number; all that are given must hold."""
        asked = [(RECORDS.c.state, state), (RECORDS.c.severity, severity), (RECORDS.c.owner, owner)]
        query = sa.select(RECORDS.c.body).where(*(column == value for column, value in asked if value is not None)).order_by(RECORDS.c.n)
        with self._reading() as db:
            return [Discrepancy.model_validate_json(body) for body in db.scalars(query)]


def _grouped(known: dict[str, Line]) -> dict[str, list[Event]]:
    grouped: dict[str, list[Event]] = {}
    for line in known.values():
        grouped.setdefault(line.event.number, []).append(line.event)
    return grouped


def _repeated(writing: Writing, op_id: str | None, event: str, number: str | None = None) -> str | None:
    """The record on which this operation was done already. Raises LedgerError if its op_id meant something else."""
    body = writing.db.scalar(sa.select(EVENTS.c.body).where(EVENTS.c.op_id == op_id)) if op_id else None
    if body is None:
        return None
    done = Event.model_validate_json(body)
    if done.event != event or (number and done.number != number):
        raise LedgerError(f"{op_id}: was {done.event} of {done.number} already; use another op_id")
    return done.number
