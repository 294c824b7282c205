"""One writing transaction: the log, what is folded from it, and the next number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from verifier.ledger import numbers
from verifier.ledger.asking import about
from verifier.ledger.mirror import Line
from verifier.ledger.states import MERGES, causes, fold
from verifier.ledger.tables import ANCHORS, CAUSES, COUNTER, DISMISSED, EVENTS, RECORDS, put
from verifier.models import Discrepancy, Event, to_json

CHUNK = 500  # values asked for at once

# Statements of every write, built once.
HISTORY = sa.select(EVENTS.c.body).where(EVENTS.c.number == sa.bindparam("number")).order_by(EVENTS.c.seq)
HOLDERS = (
    sa.select(RECORDS.c.body)
    .join(RECORDS, sa.and_(RECORDS.c.n == CAUSES.c.n, RECORDS.c.number == CAUSES.c.number))
    .where(CAUSES.c.cause == sa.bindparam("cause"), RECORDS.c.state != "void")
    .order_by(RECORDS.c.n, RECORDS.c.number)
)
SERIES = COUNTER.c.series == sa.bindparam("of")
NEXT = COUNTER.update().where(SERIES).values(last=COUNTER.c.last + 1).returning(COUNTER.c.last)
PAST = COUNTER.update().where(SERIES, COUNTER.c.last < sa.bindparam("n")).values(last=sa.bindparam("n"))
INSERT = EVENTS.insert()


def holders(db: sa.Connection, causes: Iterable[str]) -> dict[str, Discrepancy]:
    """The record that stands for each cause: the first that is not void, and no duplicate where there is another."""
    found: dict[str, Discrepancy] = {}
    for cause in causes:
        for body in db.scalars(HOLDERS, {"cause": cause}):
            record = Discrepancy.model_validate_json(body)
            if found.setdefault(cause, record).resolution in MERGES:
                found[cause] = record
    return found


def history_of(db: sa.Connection, number: str) -> list[Event]:
    """A record's events as they came."""
    return [Event.model_validate_json(body) for body in db.scalars(HISTORY, {"number": number})]


def chunks(values: Iterable[str]) -> Iterator[list[str]]:
    """Distinct values in order, a statement's worth at a time."""
    distinct = sorted(set(values))
    for at in range(0, len(distinct), CHUNK):
        yield distinct[at : at + CHUNK]


def row_of(record: Discrepancy) -> dict[str, Any]:
    """The record as a row, without its events and places."""
    row = {k: getattr(record, k) for k in ("number", "title", "state", "severity", "owner", "recheck_by", "opened")}
    proposed = record.proposed and record.proposed.get("resolution")
    return {
        **row,
        **about(record),
        "n": numbers.order(record.number),
        "proposed": proposed,
        "body": to_json(record.model_copy(update={"events": (), "places": ()})),
    }


class Writing:
    """What it appends becomes visible, and is mirrored, all together or not at all.

    `allocates` tells whether this database hands out numbers, `identity` which one it is.
    """

    def __init__(self, db: sa.Connection, series: str, identity: str, allocates: bool):
        self.db, self.series, self._identity, self.allocates = db, series, identity, allocates
        self.written: list[Line] = []
        self.seqs: list[int] = []
        self._top = 0  # the counter is known to have come so far

    # ------------------------------------------------------------ reading within it

    def events(self, number: str) -> list[Event]:
        return history_of(self.db, number)

    def holders(self, asked: Iterable[str]) -> dict[str, Discrepancy]:
        return holders(self.db, asked)

    def highest(self) -> int:
        return int(self.db.scalar(sa.select(COUNTER.c.last).where(COUNTER.c.series == self.series)) or 0)

    # ------------------------------------------------------------ numbers

    def next(self) -> str:
        """The next number of the counter, which only the allocating database may hand out."""
        self._top = self.db.execute(NEXT, {"of": self.series}).scalar_one()
        return f"{self.series}{self._top}"

    def fresh(self, holder: str, day: str, about: str) -> tuple[str, list[Event]]:
        """A number for a new record: the next; elsewhere one reserved for `holder` or this database; else a provisional one.

        With it come the events that it has already.
        """
        if self.allocates:
            return self.next(), []
        held = sa.select(RECORDS.c.number).where(
            RECORDS.c.state == "reserved", RECORDS.c.owner.in_((holder, self._identity)), RECORDS.c.recheck_by >= day
        )  # fmt: skip
        if reserved := self.db.scalar(held.order_by(RECORDS.c.n).limit(1)):
            return str(reserved), self.events(reserved)
        turn = 0
        while self.events(name := numbers.provisional(self.series, self._identity, about, str(turn))):
            turn += 1
        return name, []

    # ------------------------------------------------------------ writing

    def append(self, event: Event, before: Sequence[Event]) -> Discrepancy:
        """One new event that follows the others of its record; returns what the record is now."""
        line = Line(event, to_json(event))
        self.insert(line)
        self.written.append(line)
        return self.project(event.number, [*before, event])

    def insert(self, line: Line) -> None:
        """One event into the log, with the causes, dismissals and anchorings that it brings."""
        event, db = line.event, self.db
        done = db.execute(INSERT, {"id": event.id, "number": event.number, "op_id": event.op_id, "body": line.body})
        self.seqs.append(int((done.inserted_primary_key or (0,))[0]))
        self.derive(event)

    def derive(self, event: Event) -> None:
        """What other tables keep of one event."""
        put(self.db, CAUSES, [{"cause": cause, "n": numbers.order(event.number), "number": event.number} for cause in causes([event])])
        if event.event == "dismiss":
            put(self.db, DISMISSED, {"fingerprint": event.data.get("fingerprint", ""), "number": event.number})
        if event.event == "anchor":
            put(self.db, ANCHORS, {"document": event.data.get("document", ""), "event": event.id})

    def project(self, number: str, events: Sequence[Event]) -> Discrepancy:
        """The record's row, and the counter past its number."""
        record = fold(number, events)
        if numbers.is_run_log(number):
            return record
        n = numbers.order(number)
        put(self.db, RECORDS, row_of(record))
        if self._top < n < numbers.LAST and numbers.series(number) == self.series:
            self.db.execute(PAST, {"of": self.series, "n": n})
            self._top = n
        return record
