"""Which database hands out numbers, and what the others do until theirs are numbered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger import events as history
from verifier.ledger import numbers
from verifier.ledger.connection import Connected
from verifier.ledger.states import causes, check, fold
from verifier.ledger.tables import RECORDS
from verifier.ledger.transaction import Writing
from verifier.models import Discrepancy, Event


class Allocating(Connected):
    """One database allocates; `allocator.json` of the mirror says which.

    A database without identity at the allocator's own place takes its identity over: that is one that was lost and restored.
    """

    def _lost_identity(self) -> str | None:
        named = self._mirror.allocator()
        return named["database"] if named and named["place"] == self._place else None

    def _identify(self) -> None:
        named = self._mirror.allocator()
        if named is None:
            self._mirror.name_allocator(self.identity, self._place)
            named = self._mirror.allocator()
        self.allocates = named is not None and named["database"] == self.identity

    def reserve(self, count: int, *, holder: str, expires: str, actor: str, now: datetime) -> list[str]:
        """The next numbers, kept for work without this database; those that expired unused become void."""
        self._must_allocate()
        if not 1 <= count <= 1000:
            raise LedgerError(f"reserve {count}: from 1 to 1000 numbers at once")
        with self._writing() as writing:
            expire(writing, actor, now)
            reserved = [writing.next() for _ in range(count)]
            fields = {"holder": holder, "expires": expires}
            for number in reserved:
                check(number, (), "reserve", fields, now.date().isoformat())
                writing.append(history.make(number, "reserve", now=now, actor=actor, after=(), data=fields), ())
        return reserved

    def assign(self, *, actor: str, now: datetime, here: bool = False) -> dict[str, str]:
        """Number what clones recorded under provisional numbers: {provisional: number}. `here` moves the allocation to this database."""
        if here:
            self._mirror.name_allocator(self.identity, self._place, instead=True)
            self.allocates = True
        self._must_allocate()
        given: dict[str, str] = {}
        with self._writing() as writing:
            expire(writing, actor, now)
            waiting = writing.db.scalars(sa.select(RECORDS.c.number).where(RECORDS.c.n == numbers.LAST, RECORDS.c.state != "void"))
            histories = [(number, history.ordered(writing.events(number))) for number in waiting.all()]
            for number, events in sorted(histories, key=lambda one: (one[1][0].at, one[0])):
                record = fold(number, events)
                holder = writing.holders([record.cause]).get(record.cause) if record.cause else None
                if holder is None or numbers.is_provisional(holder.number):
                    given[number] = _renumber(writing, events)
                else:
                    given[number] = holder.number
                    merge(writing, record, holder.number, actor, now)
                writing.append(history.make(number, "assign", now=now, actor=actor, after=events, data={"target": given[number]}), events)
        return given

    def _must_allocate(self) -> None:
        if not self.allocates:
            named = self._mirror.allocator()
            raise LedgerError(
                f"this database ({self.identity}) does not hand out numbers, {named['database'] if named else 'another'} does; "
                "run this there, or move that here with `verify ledger assign --here` if it is lost"
            )


def expire(writing: Writing, actor: str, now: datetime) -> None:
    """Reserved numbers whose day has passed are void; they are never handed out again."""
    late = sa.select(RECORDS.c.number).where(RECORDS.c.state == "reserved", RECORDS.c.recheck_by < now.date().isoformat())
    for number in writing.db.scalars(late.order_by(RECORDS.c.n)).all():
        before = writing.events(number)
        writing.append(history.make(number, "void", now=now, actor=actor, after=before, reason="reserved and not used in time"), before)


def merge(writing: Writing, record: Discrepancy, target: str, actor: str, now: datetime) -> None:
    """Let the other record stand for this one's documents, findings, claims and causes from now on."""
    before = writing.events(target)
    held = causes(record.events)
    data = {key: list(getattr(record, key)) for key in ("documents", "findings", "claims", "sources") if getattr(record, key)}
    data |= {"causes": held} if held else {}
    writing.append(history.make(target, "seen_again", now=now, actor=actor, after=before, reason=f"joined with {record.number}", data=data), before)


def _renumber(writing: Writing, events: Sequence[Event]) -> str:
    """The same history under the next number."""
    number = writing.next()
    renamed: dict[str, str] = {}
    done: list[Event] = []
    for event in events:
        data = event.data if done else {**event.data, "provisional": event.number}
        parents = tuple(sorted(renamed[p] for p in event.parents))
        made = history.sealed(event.model_copy(update={"number": number, "parents": parents, "op_id": None, "data": data}))
        renamed[event.id] = made.id
        writing.append(made, done)
        done.append(made)
    return number
