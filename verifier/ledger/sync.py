"""Database and mirror tell one story: the side that is behind is caught up, divergence is explained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import time_ns

import sqlalchemy as sa

from verifier.errors import Diverged, LedgerError
from verifier.ledger import events as history
from verifier.ledger import numbers
from verifier.ledger.connection import Connected
from verifier.ledger.mirror import UNSURE, Line, Stamp
from verifier.ledger.states import MOVES, fold
from verifier.ledger.tables import COUNTER, EVENTS, FOLDS, MIRRORS, STAMPS, put
from verifier.ledger.transaction import Writing, chunks
from verifier.models import LIVE, Event

RACY = 50_000_000  # a file changed within so many nanoseconds may change again and look the same
MANY = 50  # a process that wrote so many events saves the next one reading their files


class InStep(Connected):
    def close(self) -> None:
        if len(self._own) >= MANY:
            with self._writing() as writing:
                self._remember(writing.db, list(self._mirror.known))
                mark = self._mark(writing.db)
                unseen = sa.select(EVENTS.c.seq).where(EVENTS.c.seq > mark)
                if self._own.issuperset(seqs := writing.db.scalars(unseen).all()):
                    put(writing.db, MIRRORS, {"place": self._clone, "seq": max(seqs, default=mark)})
        super().close()

    # ------------------------------------------------------------ what is known to be in step

    def _mark(self, db: sa.Connection) -> int:
        return int(db.scalar(sa.select(MIRRORS.c.seq).where(MIRRORS.c.place == self._clone)) or 0)

    def _remember(self, db: sa.Connection, names: Iterable[str]) -> None:
        settled = time_ns() - RACY
        stamps = [(name, stamp if stamp[1] < settled else UNSURE) for name in names if (stamp := self._mirror.known.get(name))]
        put(db, STAMPS, [{"place": self._clone, "name": name, "size": size, "mtime_ns": time} for name, (size, time) in stamps])

    def _catch_up(self) -> None:
        """Bring both sides into step, reading only files that changed and events that came since. Raises Diverged."""
        with self._reading() as db:
            rows = db.execute(sa.select(STAMPS.c.name, STAMPS.c.size, STAMPS.c.mtime_ns).where(STAMPS.c.place == self._clone))
            self._mirror.known = {name: (size, time) for name, size, time in rows.all()}
            mark, top = self._mark(db), db.scalar(sa.select(sa.func.max(EVENTS.c.seq))) or 0
        now, known = self._mirror.stamps(), self._mirror.known
        changed = set() if now == known else {name for name in now.keys() | known.keys() if now.get(name) != known.get(name)}
        if changed or top > mark:
            with self._writing() as writing:
                self._join(writing, changed, now, mark)

    def _join(self, writing: Writing, changed: set[str], now: Mapping[str, Stamp], mark: int) -> None:
        db = writing.db
        top = db.scalar(sa.select(sa.func.max(EVENTS.c.seq))) or 0
        fresh = set(db.scalars(sa.select(EVENTS.c.number).where(EVENTS.c.seq > mark)))
        names = changed | {numbers.file_of(n) for n in fresh}
        asked = {number for name in names if (number := numbers.of_file(name))}
        mirrored = {line.event.id: line for line in self._mirror.lines(names)}
        stored = self._stored(db, asked)
        both = {**stored, **mirrored}
        if problems := self._problems(both):
            raise Diverged(problems[0])
        self._restore(writing, [line for ident, line in mirrored.items() if ident not in stored], both)
        self._mirror.known.update((name, now[name]) for name in names if name in now)
        if behind := [line for ident, line in stored.items() if ident not in mirrored]:
            self._mirror.append(behind)
        for some in chunks(names):
            db.execute(STAMPS.delete().where(STAMPS.c.place == self._clone, STAMPS.c.name.in_(some)))
        self._remember(db, names)
        put(db, MIRRORS, {"place": self._clone, "seq": max([top, *writing.seqs])})

    # ------------------------------------------------------------ all of it

    def _stored(self, db: sa.Connection, asked: Iterable[str] | None = None) -> dict[str, Line]:
        query = sa.select(EVENTS.c.body).order_by(EVENTS.c.seq)
        queries = [query] if asked is None else [query.where(EVENTS.c.number.in_(some)) for some in chunks(asked)]
        bodies = [body for q in queries for body in db.scalars(q)]
        return {line.event.id: line for line in (Line(Event.model_validate_json(body), body) for body in bodies)}

    def _restore(self, writing: Writing, lines: Sequence[Line], known: Mapping[str, Line]) -> None:
        by_id = {line.event.id: line for line in lines}
        for event in history.ordered([line.event for line in lines]):
            writing.insert(by_id[event.id])
        grouped = _grouped(known)
        for number in {line.event.number for line in lines}:
            writing.project(number, grouped[number])

    def _refold(self, writing: Writing) -> None:
        """Make anew what is made from the log."""
        stored = self._stored(writing.db)
        for line in stored.values():
            writing.derive(line.event)
        for number, events in _grouped(stored).items():
            writing.project(number, events)

    def _problems(self, known: Mapping[str, Line]) -> list[str]:
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
        """What is wrong between database and mirror, each in a sentence; empty when they tell one story.

        A database without any event, as in a fresh clone, lacks nothing: the next start fills it.
        """
        try:
            self._mirror.allocator()
            mirrored = {line.event.id: line for line in self._mirror.lines()}
        except LedgerError as error:
            return [str(error)]
        with self._reading() as db:
            stored = self._stored(db)
        both = {**stored, **mirrored}
        found = self._problems(both) + _twins(both)
        if ahead := len(stored.keys() - mirrored.keys()):
            found.append(f"{self._mirror.folder}: lacks {ahead} events that the database has; the next start adds them")
        if stored and (behind := len(mirrored.keys() - stored.keys())):
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
            by_number = {number: {e.id: kept[e.id] for e in events} for number, events in _grouped(kept).items()}
            for event in history.ordered([line.event for ident, line in stored.items() if ident not in kept]):
                trial = {**by_number.get(event.number, {}), event.id: stored[event.id]}
                if self._problems(trial):
                    left.append(f"{event.number}: {event.event} by {event.actor} at {event.at} ({event.id}) contradicts the mirror")
                else:
                    by_number[event.number] = trial
                    kept[event.id] = stored[event.id]
            if problems := self._problems(kept):
                raise Diverged(problems[0])
            for table in (EVENTS, *FOLDS, MIRRORS, STAMPS):
                writing.db.execute(table.delete())
            writing.db.execute(COUNTER.update().where(COUNTER.c.series == self._series).values(last=0))
            self._restore(writing, list(kept.values()), kept)
        self._mirror.append(kept.values())
        return left


def _grouped(known: Mapping[str, Line]) -> dict[str, list[Event]]:
    grouped: dict[str, list[Event]] = {}
    for line in known.values():
        grouped.setdefault(line.event.number, []).append(line.event)
    return grouped


def _twins(known: Mapping[str, Line]) -> list[str]:
    """Live records that stand for one cause, as two branches may have opened it."""
    first: dict[str, str] = {}
    found = []
    grouped = _grouped(known)
    for number in sorted(grouped, key=numbers.order):
        record = fold(number, grouped[number])
        if record.state in LIVE and record.cause and (other := first.setdefault(record.cause, number)) != number:
            found.append(f"{number} and {other} have one cause; `verify d resolve {number} --resolution duplicate --target {other} …` joins them")
    return found
