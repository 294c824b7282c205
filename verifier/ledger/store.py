"""The ledger as the rest of the program uses it: opened, written, asked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger import SCHEMA, migrations, numbers
from verifier.ledger import events as history
from verifier.ledger.allocation import Allocating, expire, merge
from verifier.ledger.glance import claim_key
from verifier.ledger.reading import Reading, missing
from verifier.ledger.recording import Recording
from verifier.ledger.states import MERGES, check, fold
from verifier.ledger.sync import InStep
from verifier.ledger.tables import CLAIMS, COUNTER, DISMISSED, EVENTS, INFO, RECORDS, engine, put
from verifier.ledger.transaction import Writing
from verifier.models import LIVE, Carried, Claim, Declared, Discrepancy, Event, Finding, Recorded, to_json

IDENTITY = sa.select(INFO.c.value).where(INFO.c.name == "identity")


class Ledger(Allocating, Reading, InStep):
    """Use as a context manager: `with Ledger.open(root) as ledger: …`."""

    @classmethod
    def open(cls, root: Path, url: str | None = None, series: str = "D", *, mend: bool = True) -> Self:
        """Open or make the ledger; unless `mend` is false, bring database and mirror into step.

        Raises LedgerError, or Diverged where the two tell different stories.
        """
        try:
            ledger = cls(engine(root, url), root / "claims" / "ledger", series)
        except (sa.exc.ArgumentError, ModuleNotFoundError, OSError) as error:
            raise LedgerError(f"the ledger cannot be used: {error}; check the folder or VERIFY_LEDGER") from None
        try:
            ledger._prepare()
            if mend:
                ledger._identify()
                ledger._catch_up()
        except BaseException:
            ledger._engine.dispose()
            raise
        return ledger

    def _prepare(self) -> None:
        """Make or update the tables where needed, and learn which database this is."""
        with self._reading() as db:
            if migrations.found(db) == SCHEMA:
                self.identity = db.scalar(IDENTITY) or ""
                if self.identity and db.scalar(sa.select(COUNTER.c.last).where(COUNTER.c.series == self._series)) is not None:
                    return
        with self._writing() as writing:
            before = migrations.migrate(writing.db)
            if writing.db.scalar(sa.select(COUNTER.c.last).where(COUNTER.c.series == self._series)) is None:
                writing.db.execute(COUNTER.insert().values(series=self._series, last=0))
            if before not in (0, SCHEMA):
                self._refold(writing)
            self.identity = writing.db.scalar(IDENTITY) or self._lost_identity() or secrets.token_hex(6)
            put(writing.db, INFO, {"name": "identity", "value": self.identity})

    # ------------------------------------------------------------ writing

    def remember_claims(self, document: str, digest: str, claims: Sequence[Claim], run: str) -> None:
        """Keep a run's claims as verified; the document's earlier ones are replaced."""
        rows = {c.id: {"document": document, "id": c.id, "key": claim_key(c), "digest": digest, "run": run, "body": to_json(c)} for c in claims}
        with self._writing() as writing:
            writing.db.execute(CLAIMS.delete().where(CLAIMS.c.document == document))
            put(writing.db, CLAIMS, list(rows.values()))

    def transition(self, number: str, event: str, *, actor: str, now: datetime, reason: str | None = None, op_id: str | None = None,
                   run: str | None = None, **data: Any) -> Discrepancy:  # fmt: skip
        """Append one event to a record; raises LedgerError naming what is missing or allowed."""
        with self._writing() as writing:
            before = writing.events(number)
            if not before or numbers.is_run_log(number):
                raise missing(number)
            if taken := next((e.data["target"] for e in before if e.event == "assign"), None):
                raise LedgerError(f"{number}: has the number {taken} now; use that")
            if _repeated(writing, op_id, event, number):
                return fold(number, before)
            record = self._add(writing, number, event, before, actor, now, reason, op_id, run, data)
            if event == "resolve" and data.get("resolution") in MERGES:
                self._merge(writing, record, data["target"], actor, now)
        return record

    def _add(self, writing: Writing, number: str, event: str, before: Sequence[Event], actor: str, now: datetime, reason: str | None = None,
             op_id: str | None = None, run: str | None = None, data: dict[str, Any] | None = None) -> Discrepancy:  # fmt: skip
        if not actor:
            raise LedgerError(f"{number}: {event} needs actor")
        check(number, before, event, {**(data or {}), "reason": reason, "run": run}, now.date().isoformat())
        made = history.make(number, event, now=now, actor=actor, after=before, run=run, reason=reason, op_id=op_id, data=data)
        return writing.append(made, before)

    def _merge(self, writing: Writing, record: Discrepancy, target: str, actor: str, now: datetime) -> None:
        there = writing.events(target)
        if not there or fold(target, there).state in ("void", "reserved"):
            raise LedgerError(f"{record.number}: target {target} is {fold(target, there).state if there else 'no record'}; name one that stands")
        merge(writing, record, target, actor, now)

    def resolve_proposed(self, asked: Sequence[str], *, actor: str, now: datetime, reason: str | None = None) -> list[Discrepancy]:
        """Make the transitions that evidence proposed: of the records named, or of all; all together or none."""
        chosen = asked or [record.number for record in self.list(live=True, proposed=True)]
        done: list[Discrepancy] = []
        with self._writing() as writing:
            for number in chosen:
                before = writing.events(number)
                proposed = fold(number, before).proposed if before else None
                if not proposed:
                    raise LedgerError(f"{number}: nothing is proposed for it; `verify d list --proposed` shows what is")
                data = {k: v for k, v in proposed.items() if k not in ("by", "reason")}
                done.append(self._add(writing, number, "resolve", before, actor, now, reason or proposed["reason"], data=data))
                if data["resolution"] in MERGES:
                    self._merge(writing, done[-1], data["target"], actor, now)
        return done

    def open_record(self, *, actor: str, now: datetime, op_id: str | None = None, reason: str | None = None, **data: Any) -> Discrepancy:
        """A record under the next number: title, severity, recheck_by, documents or claims; kind is "manual" unless given."""
        with self._writing() as writing:
            number = _repeated(writing, op_id, "open")
            if number is not None:
                return fold(number, writing.events(number))
            cause = data.get("cause")
            if cause and (held := writing.holders([cause]).get(cause)):
                raise LedgerError(f"{held.number}: has this cause already; add to it, or void it first")
            number, before = writing.fresh(actor, now.date().isoformat(), op_id or str(data.get("title")))
            return self._add(writing, number, "open", before, actor, now, reason, op_id, None, {"kind": "manual", **data})

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
                self._add(writing, record.number, "dismiss", before, actor, now, reason, data={"fingerprint": fingerprint})
            if record.state in LIVE and gone.issuperset(record.findings):
                data = {"resolution": "false_alarm", "evidence": evidence or fingerprint}
                self._add(writing, record.number, "resolve", writing.events(record.number), actor, now, reason, data=data)
        return self.get(record.number)

    def undo(self, run: str, *, actor: str, now: datetime) -> tuple[list[str], list[str]]:
        """Void what only this run opened and nobody touched: the numbers, and why others that it opened stay."""
        voided, left = [], []
        with self._writing() as writing:
            named = sa.select(EVENTS.c.number).where(EVENTS.c.body.contains(f'"run":{json.dumps(run)}', autoescape=True)).distinct()
            touched = sorted(writing.db.scalars(named), key=numbers.order)
            if not touched:
                raise LedgerError(f"{run}: no event has this run; `verify d show D188` names the run of each event")
            for number in touched:
                before = writing.events(number)
                if not any(e.event == "open" and e.run == run for e in before) or fold(number, before).state == "void":
                    continue
                others = [e for e in before if e.run != run and e.event != "reserve"]
                if others:
                    left.append(f"{number}: {others[0].event} by {others[0].actor} at {others[0].at[:16]} came after")
                    continue
                try:
                    self._add(writing, number, "void", before, actor, now, f"undo of run {run}")
                    voided.append(number)
                except LedgerError as error:
                    left.append(str(error))
        return voided, left

    def record_run(self, findings: Sequence[Finding], document: str, *, run: str, actor: str, now: datetime, recheck_by: str,
                   declared: Sequence[Declared] = (), carried: Sequence[Carried] = (), claims: Sequence[Claim] = (),
                   topic: str | None = None, text: str = "", about: dict[str, Any] | None = None) -> list[Recorded]:  # fmt: skip
        """One transaction: import what the briefing declares, propose what it settles, then one record for each new cause.

        Idempotent by cause and run. `text` is the document's, for the records that it names; `about` tells of the run itself and is kept.
        """
        with self._writing() as writing:
            if self.allocates:
                expire(writing, actor, now)
            if about is not None:
                _note(writing, document, run, actor, now, about)
            return Recording(writing, document, run, actor, now, recheck_by, topic).record(findings, declared, carried, claims, text)

    def take_over(self, document: str, *, run: str, actor: str, now: datetime, recheck_by: str, declared: Sequence[Declared],
                  carried: Sequence[Carried], topic: str | None = None) -> list[Recorded]:  # fmt: skip
        """Import the numbers that a document declares or carries; one that means something else is reported and left."""
        with self._writing() as writing:
            return Recording(writing, document, run, actor, now, recheck_by, topic).take_over(declared, carried)


def _note(writing: Writing, document: str, run: str, actor: str, now: datetime, about: dict[str, Any]) -> None:
    """Keep that a run was made on the document; one that tells nothing new is not kept again."""
    log, data = numbers.run_log(document), {"document": document, **about}
    before = writing.events(log)
    if not before or (before[-1].run, before[-1].data) != (run, data):
        writing.append(history.make(log, "run", now=now, actor=actor, after=before, run=run, data=data), before)


def _repeated(writing: Writing, op_id: str | None, event: str, number: str | None = None) -> str | None:
    """The record on which this operation was done already. Raises LedgerError if its op_id meant something else."""
    body = writing.db.scalar(sa.select(EVENTS.c.body).where(EVENTS.c.op_id == op_id)) if op_id else None
    if body is None:
        return None
    done = Event.model_validate_json(body)
    if done.event != event or (number and done.number != number):
        raise LedgerError(f"{op_id}: was {done.event} of {done.number} already; use another op_id")
    return done.number
