"""Which days a report is about, and what is said of flags that do not fit."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from verifier.errors import UsageError
from verifier.reports._period import end_of, period

TODAY = date(2026, 10, 20)  # a Tuesday


def test_a_week_that_is_over_is_reported_to_its_last_day():
    assert period(TODAY, week="2026-W40")[:2] == (date(2026, 9, 28), date(2026, 10, 4))


def test_the_running_week_ends_today():
    assert period(TODAY)[:2] == (date(2026, 10, 19), TODAY)


def test_last_is_the_week_before():
    assert period(TODAY, week="last").name == "2026-W42"


def test_as_of_is_the_clock():
    assert period(TODAY, as_of=date(2026, 10, 1)) == (date(2026, 9, 28), date(2026, 10, 1), "2026-W40")


def test_a_week_spans_new_year():
    assert period(TODAY, week="2026-W53")[:2] == (date(2026, 12, 28), date(2027, 1, 3))


def test_the_period_before_has_as_many_days():
    days = period(TODAY, since=date(2026, 9, 1), until=date(2026, 9, 10))
    assert days.before[:2] == (date(2026, 8, 22), date(2026, 8, 31)) and days.name == "2026-09-01_2026-09-10"


def test_the_week_before_a_running_week_is_compared_whole():
    assert period(date(2026, 10, 21)).before[1] == date(2026, 10, 18)


@pytest.mark.parametrize(
    "asked, said",
    [
        ({"week": "2026-40"}, "--week '2026-40' is not an ISO week"),
        ({"week": "2026-W54"}, "--week '2026-W54': that year has no such week"),
        ({"week": "2027-W53"}, "--week '2027-W53': that year has no such week"),
        ({"week": "2026-W40", "since": TODAY}, "--week and --since both name the days"),
        ({"week": "2026-W40", "until": TODAY}, "--week and --until both name the days"),
        ({"since": date(2026, 10, 10), "until": date(2026, 10, 1)}, "--since 2026-10-10 comes after --until 2026-10-01"),
        ({"since": date(2026, 10, 30)}, "--since 2026-10-30 comes after today 2026-10-20"),
        ({"week": "2026-W40", "as_of": date(2026, 9, 1)}, "--as-of 2026-09-01 comes before --week 2026-W40 begins"),
    ],
)
def test_what_does_not_fit_is_one_sentence_naming_the_flag(asked, said):
    with pytest.raises(UsageError, match=r".") as error:
        period(TODAY, **asked)
    assert str(error.value).startswith(said)


def test_a_day_ends_at_midnight_there():
    assert end_of(date(2026, 10, 4), ZoneInfo("Asia/Shanghai")) == "2026-10-04T15:59:59+00:00"
