"""Which briefings were expected and came, and where several writers say the same thing, whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import NamedTuple
from zoneinfo import ZoneInfo

from verifier.compare import compare
from verifier.compare import keys as keys_of
from verifier.models import Claim
from verifier.reports._history import Ran
from verifier.reports._period import DAY, Period
from verifier.reports._tables import Rows
from verifier.settings import Expected

PAIRS = 400  # of claims that are held against each other for one day


class Due(NamedTuple):
    """A briefing that was expected on a day, and the run that verified it."""

    expected: Expected
    day: date
    ran: Ran | None


def answers(expected: Expected, ran: Ran) -> bool:
    """Whether the run is on a briefing of this writer and topic."""
    return ran.author.casefold() == expected.author.casefold() and expected.topic.casefold() in ("", ran.topic.casefold())


def due(schedule: Sequence[Expected], ran: Sequence[Ran], first: date, last: date) -> Iterator[Due]:
    for expected in schedule:
        came = {r.day: r for r in reversed(ran) if answers(expected, r)}
        for n in range((last - first).days + 1):
            if expected.on(day := first + n * DAY):
                yield Due(expected, day, came.get(day))


def coverage(schedule: Sequence[Expected], ran: Sequence[Ran], period: Period, zone: ZoneInfo, running: date | None = None) -> Rows:
    """A row for each expected writer. What is missing on the `running` day may still come."""
    rows: Rows = []
    for expected in schedule:
        asked = [d for d in due([expected], ran, period.first, period.last) if d.ran or d.day != running]
        missing = [d.day for d in asked if d.ran is None]
        rows.append(
            {"author": expected.author, "topic": expected.topic, "time": expected.time, "expected": len(asked), "came": len(asked) - len(missing),
             "late": sum(late(d, zone) for d in asked), "missing": len(missing), "gap": gap(expected, ran, period.last, running),
             "missed_days": [day.isoformat() for day in missing]}
        )  # fmt: skip
    return rows


def gap(expected: Expected, ran: Sequence[Ran], last: date, running: date | None = None) -> int:
    """Days in a row without a briefing up to `last`, however long ago they began."""
    came = {r.day for r in ran if answers(expected, r)}
    day = last - DAY if last == running and last not in came else last
    day, days = min(day, expected.until or day), 0
    while day >= expected.since and day not in came:
        day, days = day - DAY, days + 1
    return days


def late(asked: Due, zone: ZoneInfo) -> bool:
    """Whether it was written after its time; where it does not say when, it is taken to be in time."""
    if asked.ran is None or not asked.ran.written:
        return False
    try:
        written = datetime.fromisoformat(asked.ran.written)
    except ValueError:
        return False
    local = written.astimezone(zone) if written.tzinfo else written
    return local.strftime("%Y-%m-%d %H:%M") > f"{asked.day} {asked.expected.time}"


def shared(ran: Sequence[Ran], period: Period) -> list[Ran]:
    """The period's last runs on documents of days on which several writers wrote."""
    last = {r.document: r for r in ran if period.has(r.day)}
    writers: dict[date, set[str]] = {}
    for r in last.values():
        writers.setdefault(r.day, set()).add(r.author.casefold())
    return [r for r in last.values() if r.author and len(writers[r.day] - {""}) > 1]


def agreement(ran: Sequence[Ran], claims: Mapping[str, Sequence[Claim]]) -> Rows:
    """Claims of two writers on one day that can be held against each other, the unlike ones first."""
    rows: Rows = []
    by_day: dict[date, list[tuple[Ran, Claim]]] = {}
    for r in ran:
        by_day.setdefault(r.day, []).extend((r, claim) for claim in claims.get(r.document, ()) if not claim.first and claim.scope == "world")
    for day, told in sorted(by_day.items()):
        for (one, a), (two, b) in _pairs(told):
            answer = compare(a, b).answer
            if answer in ("equal", "different"):
                rows.append({"day": day.isoformat(), "content": " · ".join(filter(None, (a.subject or b.subject, a.metric or b.metric))), "answer": answer,
                             "value": a.text if a.text == b.text else f"{a.text} / {b.text}", "author": f"{one.author} / {two.author}",
                             "documents": [f"{r.document}:{c.line}" for r, c in ((one, a), (two, b))]})  # fmt: skip
    return sorted(
        {(r["day"], r["content"], r["value"], r["author"]): r for r in rows}.values(), key=lambda r: (r["answer"], r["day"], r["content"], r["value"])
    )


def _pairs(told: Sequence[tuple[Ran, Claim]]) -> Iterator[tuple[tuple[Ran, Claim], tuple[Ran, Claim]]]:
    """Claims of different writers that share a key of comparison."""
    by_key: dict[str, list[tuple[Ran, Claim]]] = {}
    for ran, claim in told:
        for key in keys_of(claim):
            by_key.setdefault(key, []).append((ran, claim))
    seen: set[tuple[str, str, str, str]] = set()
    for _, group in sorted(by_key.items()):
        for one, two in combinations(sorted(group, key=lambda x: (x[0].author, x[0].document, x[1].start)), 2):
            pair = (one[0].document, one[1].id, two[0].document, two[1].id)
            if one[0].author.casefold() != two[0].author.casefold() and pair not in seen and len(seen) < PAIRS:
                seen.add(pair)
                yield one, two


def unanswered(schedule: Sequence[Expected], ran: Sequence[Ran], now: datetime, days: int = 7) -> list[Due]:
    """What was due within the last days, up to this very time, and no run has verified."""
    today = now.date()
    asked = due(schedule, ran, today - timedelta(days=days - 1), today)
    return [d for d in asked if d.ran is None and f"{d.day} {d.expected.time}" <= now.strftime("%Y-%m-%d %H:%M")]
