"""The log read by days: what each record was at the end of a day, the steps that led there, the runs between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple, cast
from zoneinfo import ZoneInfo

from verifier.ledger import numbers
from verifier.ledger.events import ordered
from verifier.ledger.reading import Moment
from verifier.ledger.states import MOVES, told
from verifier.models import LIVE

Log = Mapping[str, Sequence[Moment]]
Days = Callable[[str], date]
QUIET = ("carry", "seen_again", "comment", "conflict")  # what happens to a record without moving it
UNTOLD = ("unknown", "reserved")  # numbers that are kept from reuse and say nothing yet


class Record(NamedTuple):
    """A record as it was: `opened` is the day of its first opening, whatever came later; `moved` the last day on which anything came of it."""

    number: str
    title: str
    title_zh: str | None
    state: str
    level: str
    mark: str | None
    kind: str
    rule: str
    topic: str
    opened: date
    moved: date
    recheck_by: str
    owner: str
    waiting_on: str
    resolution: str | None
    documents: Sequence[str]
    claims: Sequence[str]
    sources: Sequence[str]
    places: Sequence[Mapping[str, Any]]
    proposed: Mapping[str, Any] | None
    problem: str | None
    impact: str | None
    suggestion: str | None

    @property
    def live(self) -> bool:
        return self.state in LIVE


class Step(NamedTuple):
    """One event of a record: `was`, `level_was` before it, `state`, `level` after."""

    day: date
    number: str
    event: str
    was: str | None
    state: str
    level_was: str
    level: str
    actor: str
    reason: str
    data: Mapping[str, Any]


class Ran(NamedTuple):
    """A run that the ledger keeps; `day` is the document's own, `on` the day of the run."""

    document: str
    on: date
    run: str
    author: str
    topic: str
    day: date
    written: str
    claims: int
    verdicts: Mapping[str, Mapping[str, int]]
    suppressed: int
    cited: int
    silent: Sequence[str]


def days_in(zone: ZoneInfo) -> Days:
    """Which day a time of the log was in a zone."""

    @lru_cache(65536)
    def day(minute: str) -> date:
        return datetime.fromisoformat(minute + ":00+00:00").astimezone(zone).date()

    return lambda at: day(at[:16])


def in_order(log: Log) -> dict[str, Sequence[Moment]]:
    """Histories that say something, each in its order; what was given another number is told there alone."""
    found: dict[str, Sequence[Moment]] = {}
    for number in sorted(log, key=lambda n: (numbers.order(n), n)):
        events = log[number]
        if not numbers.is_run_log(number) and not any(e.event == "assign" for e in events):
            found[number] = events if _straight(events) else cast("Sequence[Moment]", ordered(cast(Any, events)))
    return found


def _straight(events: Sequence[Moment]) -> bool:
    """Whether each event follows the one before it, as all but merged histories do."""
    return all(len(e.parents) == 1 and e.parents[0] == before.id for before, e in zip(events, events[1:], strict=False))


def records(log: Log, day: Days, until: str | None = None, known: Mapping[str, Record] | None = None) -> dict[str, Record]:
    """Every record as it was at `until` (ISO, UTC). Of `known`, those of a later time, the ones that nothing touched since are taken as they are."""
    found: dict[str, Record] = {}
    for number, events in log.items():
        if until is not None and events[-1].at <= until and known is not None and all(e.at <= until for e in events):
            if number in known:
                found[number] = known[number]
            continue
        past = events if until is None else [e for e in events if e.at <= until]
        if past and (record := _record(number, past, day)) is not None:
            found[number] = record
    return found


def _record(number: str, events: Sequence[Moment], day: Days) -> Record | None:
    fields = told(number, events)
    opened = next((e for e in events if e.event == "open"), None)
    if opened is None or fields["state"] in UNTOLD:
        return None
    moved = next((e for e in reversed(events) if e.event not in QUIET), opened)
    get = fields.get
    cause = str(get("cause") or "")
    return Record(
        number, fields["title"], get("title_zh"), fields["state"], get("severity") or "low", get("mark"), get("kind") or "manual",
        cause.partition("|")[0] or get("kind") or "manual", get("topic") or "", day(opened.at), day(moved.at), get("recheck_by") or "",
        get("owner") or "", get("waiting_on") or "", get("resolution"), fields["documents"], fields["claims"], fields["sources"], fields["places"],
        get("proposed"), get("problem"), get("impact"), get("suggestion"),
    )  # fmt: skip


def steps(log: Log, day: Days, numbers_of: Iterable[str]) -> Iterator[Step]:
    """What happened to these records, each event with the state and level before and after it."""
    for number in numbers_of:
        state: str | None = None
        level = "low"
        for e in log[number]:
            was, level_was = state, level
            state = MOVES[e.event][1] if e.event in MOVES else state
            level = e.data.get("severity") or level
            yield Step(day(e.at), number, e.event, was, state or "", level_was, level, e.actor, e.reason or "", e.data)


def runs(log: Log, day: Days) -> list[Ran]:
    """The runs, by time and document."""
    found = []
    for events in log.values():
        for e in events:
            if e.event == "run":
                found.append((e.at, _ran(e, day)))
    return [ran for _, ran in sorted(found, key=lambda one: (one[0], one[1].document, one[1].run))]


def _ran(e: Moment, day: Days) -> Ran:
    get = e.data.get
    on = day(e.at)
    try:
        own = date.fromisoformat(str(get("as_of") or ""))
    except ValueError:
        own = on
    return Ran(
        str(get("document") or ""), on, e.run or "", get("author") or "", get("topic") or "", own, get("written") or "",
        int(get("claim_count") or 0), get("verdicts") or {}, int(get("suppressed") or 0), int(get("cited") or 0), get("silent") or (),
    )  # fmt: skip
