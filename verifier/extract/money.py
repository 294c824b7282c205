"""Amounts of money: the sign or code before or behind a number, its scale, what it is paid for, and the small change after it."""

from __future__ import annotations

import re

from verifier.extract import chinese
from verifier.extract.units import rate
from verifier.models import Number

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY"}
CODES = {c: c for c in ("USD", "CNY", "EUR", "GBP", "JPY", "HKD", "AUD", "CAD")} | {"RMB": "CNY"}
SCALES = {"k": 1e3, "M": 1e6, "B": 1e9, "thousand": 1e3, "million": 1e6, "billion": 1e9}
CODE = rf"(?P<scale>[kMB])?(?P<code>{'|'.join(CODES)})"
BEFORE = re.compile(rf"(?:(?<![A-Za-z]){CODE}\s?|(?P<sign>[{''.join(SIGNS)}])\s?)\Z")
BEHIND = re.compile(rf"\s?(?P<sign>[{''.join(SIGNS)}])(?:(?!\s?\d)|(?=\s\d{{1,2}}\scents?))|\s{CODE}(?![A-Za-z])")
SCALED = re.compile(r"\s(thousand|million|billion)(?![a-z])")
JIAO = re.compile(r"\s?([\d一二三四五六七八九])角(?:([\d一二三四五六七八九])分?)?")
JOINED = re.compile(r"\s(?:and\s)?|\s?[元块]\s?")
CENTS = re.compile(r"\s?cents?(?![a-z])|[.;,]?\s{0,3}\Z|[.;,]\s")
CURRENCIES = frozenset((*SIGNS.values(), *CODES.values()))


def paid(text: str, number: Number) -> Number:
    """A number with its currency, from the first to the last character that says so."""
    if number.unit in (None, "item"):
        before = BEFORE.search(text, max(0, number.start - 5), number.start)
        mark = before or BEHIND.match(text, number.end)
        if mark is None:
            return number
        parts = mark.groupdict()
        currency = SIGNS[parts["sign"]] if parts["sign"] else CODES[parts["code"]]
        unit, end = rate(text, number.end if before else mark.end(), currency)
        value = number.value * SCALES.get(parts["scale"] or "", 1.0) if number.value is not None else None
        return number.model_copy(update={"start": mark.start() if before else number.start, "end": end, "unit": unit, "value": value})
    if number.unit not in CURRENCIES or number.value is None:
        return number
    if scale := SCALED.match(text, number.end):
        return number.model_copy(update={"end": scale.end(), "value": number.value * SCALES[scale[1]]})
    if jiao := JIAO.match(text, number.end):
        tenths, hundredths = (chinese.amount(g) if g else 0.0 for g in jiao.groups())
        return number.model_copy(update={"end": jiao.end(), "value": round(number.value + tenths / 10 + hundredths / 100, 2)})
    return number


def with_cents(text: str, number: Number, after: Number) -> Number | None:
    """3 dollars 50 cents, 15 USD 50."""
    if (
        number.unit not in CURRENCIES
        or after.unit is not None
        or not after.text.isdigit()
        or not 0 < (after.value or 0) < 100
        or number.value is None
    ):
        return None
    ended = CENTS.match(text, after.end)
    if ended is None or not JOINED.fullmatch(text, number.end, after.start):
        return None
    cents = after.value or 0.0
    value = number.value + (-cents if number.value < 0 else cents) / 100
    return number.model_copy(update={"end": ended.end() if "cent" in ended[0] else after.end, "value": value})
