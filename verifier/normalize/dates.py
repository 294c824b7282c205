"""Dates as people state them -> the days that they allow: `2026-Q2`, `2025 年中期`, `9 月底`, `mid-2025`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

MONTHS = {name: n for n, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}
QUARTERS = {"一": 1, "二": 2, "三": 3, "四": 4}
# what a word leaves open is given generously: a date is refuted only where no reading of it holds
PART_OF_YEAR = {
    "early": (1, 4),
    "初": (1, 4),
    "mid": (4, 9),
    "中": (4, 9),
    "中期": (4, 9),
    "late": (9, 12),
    "底": (9, 12),
    "末": (9, 12),
    "end": (10, 12),
}
PART_OF_MONTH = {"初": (1, 12), "上旬": (1, 12), "中旬": (8, 23), "下旬": (18, 31), "底": (18, 31), "末": (18, 31)}

_YEAR = r"(?P<{0}>20[0-3]\d)"
_NAME = r"(?P<{0}>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_FORMS = (
    r"(?P<dy>20[0-3]\d)(?:-|/|\.|\s?年\s?)(?P<dm>1[0-2]|0?[1-9])(?:-|/|\.|\s?月\s?)(?P<dd>3[01]|[12]\d|0?[1-9])(?!\d)\s?日?",
    _NAME.format("en1") + r"\s(?P<d1>\d{1,2})(?:st|nd|rd|th)?,?\s" + _YEAR.format("ey1"),
    r"(?P<d2>\d{1,2})\s" + _NAME.format("en2") + r",?\s" + _YEAR.format("ey2"),
    _YEAR.format("qy") + r"\s?[-年]?\s?(?:Q(?P<q>[1-4])|第?(?P<cq>[一二三四])季度)(?:\s?[-–~～至到]\s?(?:(?P<qy2>20[0-3]\d)[-\s]?)?Q(?P<q2>[1-4]))?",
    r"Q(?P<q3>[1-4])\s?(?:of\s)?" + _YEAR.format("qy3"),
    _YEAR.format("hy") + r"\s?[-年]?\s?(?:H(?P<h>[12])|(?P<ch>[上下])半年)",
    r"H(?P<h2>[12])\s" + _YEAR.format("hy2"),
    _YEAR.format("my") + r"(?:-|/|\s?年\s?)(?P<mm>1[0-2]|0?[1-9])(?![\d.])(?!-\d)(?:\s?月)?\s?(?P<mp>上旬|中旬|下旬|[初底末])?",
    _NAME.format("en3") + r"\s" + _YEAR.format("ey3"),
    r"(?P<pw>early|mid|late|end of)[-\s]" + _YEAR.format("py"),
    _YEAR.format("cy") + r"\s?年\s?(?P<cp>中期|[初中底末])",
    r"(?P<lm>1[0-2]|[1-9])\s?月\s?(?P<lp>上旬|中旬|下旬|[初底末])?",
    _YEAR.format("y") + r"(?:\s?年)?(?![-/.]\d)",
)
_DATE = re.compile(r"(?<![\d.A-Za-z])(?:" + "|".join(_FORMS) + r")(?![\dA-Za-z])", re.IGNORECASE)


class Stated(NamedTuple):
    """A stated date at start..end and the first and last day that it allows."""

    start: int
    end: int
    text: str
    first: date
    last: date

    def holds(self, actual: date, tolerance: int = 1) -> bool:
        """Whether a day is meant; channels and time zones differ by a day."""
        slack = timedelta(days=tolerance)
        return self.first - slack <= actual <= self.last + slack


def dates(text: str, today: date, start: int = 0, end: int | None = None) -> Iterator[Stated]:
    """Every stated date in order; a month without its year is the last one up to `today`."""
    for found in _DATE.finditer(text, start, len(text) if end is None else end):
        try:
            first, last = _days({k: v for k, v in found.groupdict().items() if v}, today)
        except ValueError:
            continue
        yield Stated(found.start(), found.end(), found.group().strip(), first, last)


def _months(year: int, first: int, last: int, last_year: int | None = None) -> tuple[date, date]:
    end = last_year or year
    return date(year, first, 1), date(end, last, monthrange(end, last)[1])


def _part(year: int, month: int, part: str | None) -> tuple[date, date]:
    low, high = PART_OF_MONTH[part] if part else (1, 31)
    return date(year, month, low), date(year, month, min(high, monthrange(year, month)[1]))


def _days(g: dict[str, str], today: date) -> tuple[date, date]:
    if "dy" in g:
        day = date(int(g["dy"]), int(g["dm"]), int(g["dd"]))
        return day, day
    for n in ("1", "2"):
        if f"en{n}" in g:
            day = date(int(g[f"ey{n}"]), MONTHS[g[f"en{n}"].lower()], int(g[f"d{n}"]))
            return day, day
    if "qy" in g:
        quarter = int(g.get("q") or QUARTERS[g["cq"]])
        last = int(g.get("q2") or quarter)
        return _months(int(g["qy"]), 3 * quarter - 2, 3 * last, int(g["qy2"]) if "qy2" in g else None)
    if "q3" in g:
        return _months(int(g["qy3"]), 3 * int(g["q3"]) - 2, 3 * int(g["q3"]))
    if half := g.get("h") or g.get("h2") or {"上": "1", "下": "2"}.get(g.get("ch", "")):
        return _months(int(g.get("hy") or g["hy2"]), 6 * int(half) - 5, 6 * int(half))
    if "my" in g:
        return _part(int(g["my"]), int(g["mm"]), g.get("mp"))
    if "en3" in g:
        return _part(int(g["ey3"]), MONTHS[g["en3"].lower()], None)
    if word := g.get("pw") or g.get("cp"):
        return _months(int(g.get("py") or g["cy"]), *PART_OF_YEAR[word.lower().removesuffix(" of")])
    if "lm" in g:
        month = int(g["lm"])
        return _part(today.year if month <= today.month else today.year - 1, month, g.get("lp"))
    return _months(int(g["y"]), 1, 12)
