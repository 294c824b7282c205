"""The append-only log on SQLite or PostgreSQL; one writing transaction at a time hands out numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from verifier.errors import Diverged, LedgerError
from verifier.ledger.mirror import Mirror
from verifier.ledger.states import LIVE, check, fold
from verifier.models import Carried, Claim, Declared, Discrepancy, Event, Finding, Recorded, to_json

SCHEMA = 1
META = sa.MetaData()
COUNTER = sa.Table("counter", META, sa.Column("series", sa.String, primary_key=True), sa.Column("last", sa.Integer, nullable=False))
EVENTS = sa.Table(
    "events", META, sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True), sa.Column("id", sa.String, unique=True, nullable=False),
    sa.Column("number", sa.String, index=True, nullable=False), sa.Column("op_id", sa.String, unique=True), sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
CAUSES = sa.Table("causes", META, sa.Column("cause", sa.String, primary_key=True), sa.Column("number", sa.String, nullable=False))
CLAIMS = sa.Table(
    "claims", META, sa.Column("document", sa.String, primary_key=True), sa.Column("id", sa.String, primary_key=True),
    sa.Column("key", sa.String, index=True, nullable=False), sa.Column("digest", sa.String, nullable=False), sa.Column("run", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
INFO = sa.Table("info", META, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.String, nullable=False))


def claim_key(claim: Claim) -> str:
    """What may be compared at all: subject, metric, form family and unit."""
    return "|".join(str(x or "").lower() for x in (claim.subject, claim.metric, claim.unit))


class Ledger:
    """Use as a context manager: `with Ledger.open(root) as ledger: …`."""

    def __init__(self, engine: sa.Engine, mirror: Mirror, series: str):
        self._engine, self._mirror, self._series = engine, mirror, series

    @classmethod
    def open(cls, root: Path, url: str | None = None, series: str = "D") -> Ledger:
        """Open or make the ledger and bring database and mirror into step. Raises LedgerError or Diverged."""
        if url is None or url.startswith("sqlite:///"):
            path = root / (url.removeprefix("sqlite:///") if url else "claims/ledger.db")
            path.parent.mkdir(parents=True, exist_ok=True)
            url = f"sqlite:///{path}"
        engine = sa.create_engine(url, connect_args={"timeout": 30} if url.startswith("sqlite") else {})
        if engine.dialect.name == "sqlite":
            # pysqlite begins late and deferred, which fails under several writers: begin at once instead
            sa.event.listen(engine, "connect", lambda c, _: setattr(c, "isolation_level", None))
            sa.event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE"))
        ledger = cls(engine, Mirror(root / "claims" / "ledger"), series)
        try:
            ledger._prepare()
        except sa.exc.DBAPIError as error:
            raise LedgerError(f"the ledger cannot be used: {error.orig}; check the file or VERIFY_LEDGER") from None
        return ledger

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._engine.begin() as db:
            if self._engine.dialect.name == "postgresql":
                db.execute(sa.text("SELECT pg_advisory_xact_lock(7215)"))
            yield db

    def _prepare(self) -> None:
        with self._writing() as db:
            META.create_all(db)
            found = db.scalar(sa.select(INFO.c.value).where(INFO.c.name == "schema"))
            if found is None:
                db.execute(INFO.insert().values(name="schema", value=str(SCHEMA)))
            elif int(found) > SCHEMA:
                raise LedgerError(f"the ledger has schema {found}, this program knows {SCHEMA}; use a newer verify")
            if db.scalar(sa.select(COUNTER.c.last).where(COUNTER.c.series == self._series)) is None:
                db.execute(COUNTER.insert().values(series=self._series, last=0))
            self._catch_up(db)

    def _catch_up(self, db: sa.Connection) -> None:
        mirrored = self._mirror.events()
        stored = {row.id: row.body for row in db.execute(sa.select(EVENTS.c.id, EVENTS.c.body).order_by(EVENTS.c.seq))}
        seen = {event.id for event in mirrored}
        for event in mirrored:
            if _content_id(event) != event.id:
                raise Diverged(f"{self._mirror.path(event.number)}: event {event.id} was changed; restore it from git")
            if event.id not in stored:
                if event.parents and event.parents[0] not in stored and event.parents[0] not in seen:
                    raise Diverged(f"{self._mirror.path(event.number)}: event {event.id} follows one that is missing; restore it from git")
                self._insert(db, event)
        for ident, body in stored.items():
            if ident not in seen:
                self._mirror.append(Event.model_validate_json(body))

    # ------------------------------------------------------------ reading

    def records(self) -> list[Discrepancy]:
        """All records, by number."""
        with self._engine.connect() as db:
            return self._records(db)

    def get(self, number: str) -> Discrepancy:
        with self._engine.connect() as db:
            events = self._events(db, number)
        if not events:
            raise LedgerError(f"{number}: no such record; `verify d list` shows them")
        return fold(number, events)

    def _records(self, db: sa.Connection) -> list[Discrepancy]:
        by_number: dict[str, list[Event]] = {}
        for body in db.scalars(sa.select(EVENTS.c.body).order_by(EVENTS.c.seq)):
            event = Event.model_validate_json(body)
            by_number.setdefault(event.number, []).append(event)
        return [fold(n, by_number[n]) for n in sorted(by_number, key=lambda n: int(n[len(self._series) :]))]

    def _events(self, db: sa.Connection, number: str) -> list[Event]:
        rows = db.scalars(sa.select(EVENTS.c.body).where(EVENTS.c.number == number).order_by(EVENTS.c.seq))
        return [Event.model_validate_json(body) for body in rows]

    def find_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        """Verified claims about the same subject, metric and unit as any of these."""
        keys = sorted({claim_key(c) for c in claims})
        found: list[Claim] = []
        with self._engine.connect() as db:
            for at in range(0, len(keys), 500):
                rows = db.scalars(sa.select(CLAIMS.c.body).where(CLAIMS.c.key.in_(keys[at : at + 500])))
                found += [Claim.model_validate_json(body) for body in rows]
        return found

    # ------------------------------------------------------------ writing

    def remember_claims(self, document: str, digest: str, claims: Sequence[Claim], *, run: str) -> None:
        """Keep a run's claims as verified; the document's earlier ones are replaced."""
        rows = {c.id: {"document": document, "id": c.id, "key": claim_key(c), "digest": digest, "run": run, "body": to_json(c)} for c in claims}
        with self._writing() as db:
            db.execute(CLAIMS.delete().where(CLAIMS.c.document == document))
            if rows:
                db.execute(CLAIMS.insert(), list(rows.values()))

    def transition(
        self, number: str, event: str, *, actor: str, now: datetime, reason: str | None = None, op_id: str | None = None, **data: Any
    ) -> Discrepancy:
        """Append one event to a record; raises LedgerError naming what is missing or allowed."""
        with self._writing() as db:
            events = self._events(db, number)
            if not events and event not in ("reserve", "open"):
                raise LedgerError(f"{number}: no such record; `verify d list` shows them")
            if op_id and any(e.op_id == op_id for e in events):
                return fold(number, events)
            state = fold(number, events).state if events else None
            check(number, state, event, {**data, "reason": reason})
            added = self._append(db, number, event, actor, now, reason=reason, op_id=op_id, data=data, last=events)
        self._mirror.append(added)
        return self.get(number)

    def record_run(self, findings: Sequence[Finding], document: str, *, run: str, actor: str, now: datetime, recheck_by: str,
                   declared: Sequence[Declared] = (), carried: Sequence[Carried] = (), claims: Sequence[Claim] = ()) -> list[Recorded]:  # fmt: skip
        """One transaction: import what the briefing declares, then one record for each new cause. Idempotent by cause and run."""
        out: list[Recorded] = []
        written: list[Event] = []
        with self._writing() as db:
            records = {r.number: r for r in self._records(db)}

            def add(number: str, event: str, **data: Any) -> None:
                last = self._events(db, number)
                if event in ("seen_again", "carry") and any(e.run == run for e in last):
                    return
                written.append(self._append(db, number, event, actor, now, run=run, data=data, last=last))

            for entry in declared:
                out.append(self._import(db, records, entry, document, recheck_by, add))
            for span in carried:
                for n in range(span.first, min(span.last, span.first + 9999) + 1):
                    number = f"{self._series}{n}"
                    if number not in records and not any(number == r.number for r in out):
                        add(number, "stub", title="", documents=[document])
            causes = {row.cause: row.number for row in db.execute(sa.select(CAUSES))}
            for finding in findings:
                if finding.verdict != "fail" or finding.note or finding.suppressed:
                    continue
                found = causes.get(finding.cause) or _restated(finding, declared, self._series)
                if found:
                    number = found
                    known = finding.cause in causes
                    add(number, "seen_again", findings=[finding.fingerprint], documents=[document], claims=list(finding.claims))
                    if not known:
                        db.execute(CAUSES.insert().values(cause=finding.cause, number=number))
                    if not any(r.number == number for r in out):
                        out.append(Recorded(number=number, what="seen_again", title=finding.message))
                else:
                    number = self._next(db)
                    add(number, "open", title=finding.message, severity=finding.severity, recheck_by=recheck_by, kind=finding.kind, cause=finding.cause,
                        findings=[finding.fingerprint], documents=[document], claims=list(finding.claims), suggestion=finding.fix)  # fmt: skip
                    out.append(Recorded(number=number, what="opened", title=finding.message))
                causes[finding.cause] = number
        for event in written:
            self._mirror.append(event)
        return out

    def _import(self, db: sa.Connection, records: dict[str, Discrepancy], entry: Declared, document: str, recheck_by: str, add: Any) -> Recorded:
        number = f"{self._series}{entry.number}"
        known = records.get(number)
        if known and known.title and known.title.strip() != entry.title.strip():
            return Recorded(number=number, what="conflict", title=f"here: {entry.title}; in the ledger: {known.title}")
        if known and known.title:
            add(number, "carry", documents=[document])
            return Recorded(number=number, what="carried", title=entry.title)
        data = {k: v for k in ("mark", "problem", "impact", "suggestion") if (v := getattr(entry, k))}
        add(number, "open", title=entry.title, severity=entry.severity or "low", recheck_by=recheck_by, documents=[document], kind="manual", **data)
        return Recorded(number=number, what="imported", title=entry.title)

    def _next(self, db: sa.Connection) -> str:
        last = db.execute(
            COUNTER.update().where(COUNTER.c.series == self._series).values(last=COUNTER.c.last + 1).returning(COUNTER.c.last)
        ).scalar_one()
        return f"{self._series}{last}"

    def _append(self, db: sa.Connection, number: str, event: str, actor: str, now: datetime, *, run: str | None = None, reason: str | None = None,
                op_id: str | None = None, data: dict[str, Any], last: Sequence[Event]) -> Event:  # fmt: skip
        draft = Event(id="", parents=(last[-1].id,) if last else (), number=number, event=event, at=now.astimezone(UTC).isoformat(timespec="seconds"),
                      actor=actor, run=run, reason=reason, op_id=op_id, data=data)  # fmt: skip
        made = draft.model_copy(update={"id": _content_id(draft)})
        self._insert(db, made)
        return made

    def _insert(self, db: sa.Connection, event: Event) -> None:
        db.execute(EVENTS.insert().values(id=event.id, number=event.number, op_id=event.op_id, body=to_json(event)))
        n = int(event.number.removeprefix(self._series))
        db.execute(COUNTER.update().where(COUNTER.c.series == self._series, COUNTER.c.last < n).values(last=n))
        if (cause := event.data.get("cause")) and db.scalar(sa.select(CAUSES.c.number).where(CAUSES.c.cause == cause)) is None:
            db.execute(CAUSES.insert().values(cause=cause, number=event.number))

    def overdue(self, day: str) -> list[Discrepancy]:
        """Live records whose recheck day has passed."""
        return [r for r in self.records() if r.state in LIVE and r.recheck_by and r.recheck_by < day]


def _content_id(event: Event) -> str:
    body = event.model_dump(mode="json", by_alias=True)
    body.pop("id")
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:24]


def _restated(finding: Finding, declared: Sequence[Declared], series: str) -> str | None:
    """The declared entry whose text repeats one of the finding's quotes and, for lacking context, its topic."""
    for entry in declared:
        text = f"{entry.title} {entry.problem or ''}"
        quotes = [place.text.strip("~ ") for place in finding.locations]
        digits = ["".join(c for c in q if c.isdigit() or c in ".,%") for q in quotes]
        if any(len(d.strip(".,%")) >= 3 and d in text for d in digits) and (
            finding.kind != "required-context" or any(w in text for w in ("SXM", "PCIe", "型号", "未注明", "缺失"))
        ):
            return f"{series}{entry.number}"
    return None
