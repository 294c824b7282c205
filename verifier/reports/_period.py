"""The days that a report is about, and when they end on the group's clocks."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from verifier.errors import UsageError

DAY = timedelta(days=1)


class Period(NamedTuple):
    """`first` to `last`, both within; the report tells what was known at the end of `last`."""

    first: date
    last: date
    name: str

    @property
    def before(self) -> Period:
        """As many days, right before."""
        first = self.first - max(self.last - self.first + DAY, DAY)
        return Period(first, self.first - DAY, "")

    def has(self, day: date) -> bool:
        return self.first <= day <= self.last


def week_of(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"


def period(today: date, *, week: str | None = None, since: date | None = None, until: date | None = None, as_of: date | None = None) -> Period:
    """The days asked for, up to `as_of` or today. Raises UsageError naming the flag that does not fit."""
    if week and (since or until):
        raise UsageError(f"--week and {'--since' if since else '--until'} both name the days; give one of them")
    clock = as_of or today
    if since or until:
        last = until or clock
        first = since or last - 6 * DAY
        if first > last:
            named = "--until" if until else "--as-of" if as_of else "today"
            raise UsageError(f"--since {first} comes after {named} {last}; give an earlier day")
        found = Period(first, last, f"{first}_{last}")
    else:
        asked = week or week_of(clock)
        if asked == "last":
            asked = week_of(clock - 7 * DAY)
        first = _monday(asked)
        found = Period(first, first + 6 * DAY, asked)
    if as_of and as_of < found.first:
        flag = f"--week {week}" if week else "--since" if since else "--until"
        raise UsageError(f"--as-of {as_of} comes before {flag} begins on {found.first}; nothing of it was known then")
    if found.first <= clock < found.last:
        found = found._replace(last=clock)
    return found


def _monday(week: str) -> date:
    shape = re.fullmatch(r"(\d{4})-W(\d\d)", week)
    if shape is None or not 2000 <= int(shape[1]) <= 2200:
        raise UsageError(f"--week {week!r} is not an ISO week such as 2026-W40, nor `last`")
    try:
        return date.fromisocalendar(int(shape[1]), int(shape[2]), 1)
    except ValueError:
        raise UsageError(f"--week {week!r}: that year has no such week") from None


def end_of(day: date, zone: ZoneInfo) -> str:
    """The last second of a day there, as the log writes times (ISO, UTC)."""
    midnight = datetime.combine(day + DAY, time(), zone)
    return (midnight.astimezone(UTC) - timedelta(seconds=1)).isoformat(timespec="seconds")
