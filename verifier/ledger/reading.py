"""What may be asked of a ledger."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from pydantic_core import from_json

from verifier.errors import LedgerError
from verifier.ledger import numbers
from verifier.ledger.asking import Brief, asking
from verifier.ledger.connection import Connected
from verifier.ledger.glance import NEAREST, claim_key, telling_keys
from verifier.ledger.states import fold
from verifier.ledger.tables import ANCHORS, CLAIMS, DISMISSED, EVENTS
from verifier.ledger.transaction import chunks, history_of, holders
from verifier.models import Claim, Discrepancy, Event

RECORDS_OF = TypeAdapter(list[Discrepancy])


def missing(number: str) -> LedgerError:
    numbers.order(number)
    return LedgerError(f"{number}: no such record; `verify d list` shows them")


class Moment(NamedTuple):
    """An event as plain data: for histories of hundreds of thousands."""

    id: str
    parents: Sequence[str]
    number: str
    event: str
    at: str
    actor: str
    run: str | None
    reason: str | None
    op_id: str | None
    data: dict[str, Any]


class Reading(Connected):
    def history(self, until: str | None = None, *, runs: bool | None = None) -> dict[str, list[Moment]]:
        """The log as it was at a time (ISO, UTC), by number, as it came: records, and runs under `numbers.run_log`.

        `runs`: only these, or all but these.
        """
        grouped: dict[str, list[Moment]] = {}
        with self._reading() as db:
            for body in db.scalars(_log(runs)):
                moment = Moment(*map(from_json(body).get, Moment._fields))
                if until is None or moment.at <= until:
                    grouped.setdefault(moment.number, []).append(moment)
        return grouped

    def records(self) -> list[Discrepancy]:
        """All records with their events, by number."""
        grouped: dict[str, list[Event]] = {}
        with self._reading() as db:
            for body in db.scalars(_log(runs=False)):
                event = Event.model_validate_json(body)
                grouped.setdefault(event.number, []).append(event)
        return [fold(n, grouped[n]) for n in sorted(grouped, key=lambda n: (numbers.order(n), n))]

    def get(self, number: str) -> Discrepancy:
        """One record with its events; a provisional number that was assigned leads to the number it got."""
        with self._reading() as db:
            while True:
                if numbers.is_run_log(number) or not (events := history_of(db, number)):
                    raise missing(number)
                target = next((e.data.get("target") for e in events if e.event == "assign"), None)
                if target is None:
                    return fold(number, events)
                number = target

    def overdue(self, day: str) -> list[Discrepancy]:
        """Live records whose recheck day has passed."""
        return self.list(live=True, overdue=day)

    def find_claims(self, claims: Sequence[Claim]) -> list[Claim]:
        """Verified claims about the same subject, metric and unit as any of these."""
        with self._reading() as db:
            bodies = [b for some in chunks(map(claim_key, claims)) for b in db.scalars(sa.select(CLAIMS.c.body).where(CLAIMS.c.key.in_(some)))]
        return [Claim.model_validate_json(body) for body in bodies]

    def candidates(self, claims: Sequence[Claim], document: str) -> Sequence[Claim]:
        """Stored claims of other documents about the same things, the latest first; a few of each, however many there are."""
        row = CLAIMS.c
        with self._reading() as db:
            asked = (
                sa.select(row.body).where(row.key == key, row.document != document).order_by(row.document.desc()).limit(NEAREST)
                for key in telling_keys(claims)
            )
            return [Claim.model_validate_json(body) for query in asked for body in db.scalars(query)]

    def verified(self, document: str) -> dict[str, dict[str, Any]]:
        """The claims of the document's last recorded run, by id."""
        with self._reading() as db:
            rows = db.execute(sa.select(CLAIMS.c.id, CLAIMS.c.body).where(CLAIMS.c.document == document))
            return {row.id: json.loads(row.body) for row in rows}

    def anchors(self, document: str) -> Sequence[Event]:
        """The anchor events of a document, as they came."""
        there = sa.select(EVENTS.c.body).join(ANCHORS, ANCHORS.c.event == EVENTS.c.id).where(ANCHORS.c.document == document)
        with self._reading() as db:
            return [Event.model_validate_json(body) for body in db.scalars(there.order_by(EVENTS.c.seq))]

    def holding(self, causes: Iterable[str]) -> dict[str, str]:
        """The number of the record that stands for each of these causes."""
        with self._reading() as db:
            return {cause: record.number for cause, record in holders(db, causes).items()}

    def dismissed(self) -> set[str]:
        """Fingerprints of findings that somebody called false alarms."""
        with self._reading() as db:
            return set(db.scalars(sa.select(DISMISSED.c.fingerprint)))

    def brief(self, **asked: Any) -> Sequence[Brief]:
        """What `list` gives, as lines of a list: many records, quickly."""
        with self._reading() as db:
            return [Brief._make(row) for row in _ask(db, Brief._fields, asked)]

    def bodies(self, **asked: Any) -> Sequence[str]:
        """What `list` gives, as lines of JSON."""
        with self._reading() as db:
            return [str(body) for (body,) in _ask(db, ("body",), asked)]

    # Last, because it hides the built-in for annotations below it.
    def list(self, **asked: Any) -> list[Discrepancy]:
        """Records without their events, by number; `asking` says what can be asked for."""
        return RECORDS_OF.validate_json(f"[{','.join(self.bodies(**asked))}]")


def _log(runs: bool | None) -> sa.Select[Any]:
    """Every event as it came: of runs only, of records only, or of both."""
    log = sa.select(EVENTS.c.body).order_by(EVENTS.c.seq)
    of_runs = EVENTS.c.number.startswith(f"{numbers.RUNS}~", autoescape=True)
    return log if runs is None else log.where(of_runs if runs else sa.not_(of_runs))


def _ask(db: sa.Connection, columns: Sequence[str], asked: dict[str, Any]) -> Sequence[sa.Row[Any]]:
    query, values = asking(columns, **asked)
    return db.execute(sa.text(query), values).all()
