"""Stated dates become the days that they allow."""

from __future__ import annotations

from datetime import date

import pytest

from verifier.normalize.dates import dates

TODAY = date(2026, 9, 27)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-08-26", "2026-08-26", "2026-08-26"),
        ("2026 年 8 月 26 日", "2026-08-26", "2026-08-26"),
        ("Sep 13, 2025", "2025-09-13", "2025-09-13"),
        ("13 September 2025", "2025-09-13", "2025-09-13"),
        ("2026-04", "2026-04-01", "2026-04-30"),
        ("2026年3月", "2026-03-01", "2026-03-31"),
        ("2024 年 2 月底", "2024-02-18", "2024-02-29"),
        ("March 2026", "2026-03-01", "2026-03-31"),
        ("2026-Q2", "2026-04-01", "2026-06-30"),
        ("2026Q3", "2026-07-01", "2026-09-30"),
        ("Q4 2025", "2025-10-01", "2025-12-31"),
        ("2026 年第二季度", "2026-04-01", "2026-06-30"),
        ("2025 Q2-Q3", "2025-04-01", "2025-09-30"),
        ("2025 Q4–2026 Q1", "2025-10-01", "2026-03-31"),
        ("2026 H1", "2026-01-01", "2026-06-30"),
        ("2025 年下半年", "2025-07-01", "2025-12-31"),
        ("2025 年中期", "2025-04-01", "2025-09-30"),
        ("mid-2025", "2025-04-01", "2025-09-30"),
        ("2025 年底", "2025-09-01", "2025-12-31"),
        ("9 月底", "2026-09-18", "2026-09-30"),
        ("11 月", "2025-11-01", "2025-11-30"),
        ("2025 年", "2025-01-01", "2025-12-31"),
    ],
)
def test_a_date_is_the_days_that_it_allows(text: str, first: str, last: str) -> None:
    [stated] = dates(f"见（{text}）。", TODAY)
    assert (stated.first.isoformat(), stated.last.isoformat(), stated.text) == (first, last, text)


@pytest.mark.parametrize("text", ["v0.2026", "2609.23130", "2026-13-45x", "B2026A", "7.2026.1"])
def test_ids_and_versions_are_no_dates(text: str) -> None:
    assert list(dates(text, TODAY)) == []


def test_channels_may_differ_by_a_day_and_no_more() -> None:
    [stated] = dates("2026-08-26", TODAY)
    assert [stated.holds(date(2026, 8, day)) for day in (24, 25, 26, 27, 28)] == [False, True, True, True, False]
