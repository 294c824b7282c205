"""Numbers as a reader takes them: with their sign, both ends of a range as one, fractions, money with what it is paid in."""

from __future__ import annotations

import re

from verifier.extract import numerals
from verifier.extract.money import CURRENCIES, paid, with_cents
from verifier.extract.units import unit_at
from verifier.models import Number

NEGATIVE = re.compile(r"(?:(?<![\w.)）%\]℃°\-−–－])\\?[-−–－↓]|[负負]\s?|\b(?:minus|negative)\s)(?:(?:US|C)?[$€£¥￥]\s?)?\Z", re.I)
LONE = re.compile(r"\s*[-−]\s{1,2}\Z")
OVER = re.compile(r"\sover\s|\sin\s")
DASH = re.compile(r"\s{0,2}\*{0,2}[-–—~～]\*{0,2}\s{0,2}(?:[$€£¥]\s?)?")
WORD = r"(?:\s?(?P<word>[A-Za-z°µ%]{1,8}|per [a-z]{1,8}))?"
TO = re.compile(rf"{WORD}-?\s?(?:\b(?:to|and|or)\b|至|到|和)\s?(?:about |[$€£¥]\s?|-|−)?", re.I)
FROM = re.compile(r"(?P<between>\bbetween|介于)?(?:\bfrom|从|由)?(?<=[mn从由于])\s?(?:about |around )?(?:[$€£¥]\s?|-|−)?\Z", re.I)
AND = re.compile(r"\band\b|和", re.I)
RUNNING = re.compile(r"-\d")
RUN_ON = re.compile(r"\d-\Z")
WHOLE = re.compile(r"\d{1,4}")


def numbers(text: str) -> list[Number]:
    """Every numeral of a text with its class, also those set aside; quantities are signed.

    A two-ended one has `low` and `high` as written, and in `value` the middle between them.
    """
    plain = numerals.narrow(text)
    found = numerals.numbers(text, bare=True)
    out: list[Number] = []
    index = reach = 0
    while index < len(found):
        number = found[index]
        index += 1
        if number.start < reach:
            continue  # the small change of the amount before
        if number.kind != "quantity" and (number.kind != "name_part" or number.value is None):
            out.append(number)
            continue
        number, index = _fraction(plain, number, found, index)
        number = _signed(plain, _whole_unit(plain, number))
        after = _quantity(found, index)
        if after and (joined := _range(plain, number, _signed(plain, _whole_unit(plain, after))) or with_cents(plain, number, after)):
            number = joined
            index += 1
        start = max(number.start, reach)
        out.append(number.model_copy(update={"start": start, "text": text[start : number.end]}))
        reach = number.end
    return out


def _quantity(found: list[Number], index: int) -> Number | None:
    return found[index] if index < len(found) and found[index].kind == "quantity" else None


def _whole_unit(text: str, number: Number) -> Number:
    """With the currency, or the unit behind a hyphen: 16-meter."""
    number = paid(text, number)
    if number.unit is None and text[number.end : number.end + 1] == "-" and (unit := unit_at(text, number.end + 1)):
        return number.model_copy(update={"end": unit[1], "unit": unit[0]})
    return number


def _signed(text: str, number: Number) -> Number:
    left = text[max(0, number.start - 14) : number.start]
    sign = NEGATIVE.search(left)
    if sign is None and number.start < 14 and not text[number.end :].strip():
        sign = LONE.match(left)  # `- 10 k` is an item of a list, but not where it is all there is
    if sign is None:
        return number
    low, high = (None if end is None else -end for end in (number.high, number.low))
    value = None if number.value is None else -number.value
    return number.model_copy(update={"start": number.start - len(left) + sign.start(), "value": value, "low": low, "high": high})


def _fraction(text: str, number: Number, found: list[Number], index: int) -> tuple[Number, int]:
    """3/4, 1 over 20, 1 4/5, 2½, 三百五十又三分之一, with the index of what follows; else the number itself."""
    after, value = _quantity(found, index), number.value
    if after is None or value is None or number.unit is not None or after.value is None:
        return number, index
    gap = text[number.end : after.start]
    if _is_fraction(text, number, after):
        return _made(number, after, value / after.value), index + 1
    third = _quantity(found, index + 1)
    mixed = gap in (" ", "  ") and number.text.isdigit() or gap.strip() == "又"
    if mixed and third is not None and third.value and _is_fraction(text, after, third):
        return _made(number, third, value + after.value / third.value), index + 2
    if gap.strip() == "又" or not gap and after.text in numerals.VULGAR:
        share = after.value / 100 if after.unit == "percent" else after.value
        return _made(number, after, value + share), index + 1
    if after.unit is None and after.value and (over := OVER.fullmatch(gap)):
        ended = not text[after.end : after.end + 2].strip(".,;。")
        if ended and over[0] == " over " or value == 1 and over[0] == " in " and after.text.replace("-", "").replace(" ", "").isalpha():
            return _made(number, after, value / after.value), index + 1
    return number, index


def _made(first: Number, last: Number, value: float) -> Number:
    unit = None if last.unit == "percent" and first.unit is None else last.unit
    return last.model_copy(update={"start": first.start, "value": value, "unit": unit})


def _is_fraction(text: str, number: Number, after: Number) -> bool:
    """Whether both are plain whole numbers around one stroke: no date, path or list."""
    if text[number.end : after.start] != "/" or not after.value or after.unit is not None or text[after.end : after.end + 1] == "/":
        return False
    if text[number.start - 1 : number.start] in ("/", "=") and number.start or RUN_ON.search(text, max(0, number.start - 2), number.start):
        return False
    return WHOLE.fullmatch(text, number.start, number.end) is not None and WHOLE.fullmatch(text, after.start, after.end) is not None


def _range(text: str, number: Number, after: Number) -> Number | None:
    """2-4×, 60–85%, 44 mg to 50 mg, between 44 and 50 mg, from 7 to 10."""
    priced = number.unit in CURRENCIES and after.unit is None  # $3-7
    if after.value is None or number.value is None or (number.unit not in (None, after.unit) and not priced):
        return None
    if RUNNING.match(text, after.end) or RUN_ON.search(text, max(0, number.start - 2), number.start):
        return None  # 1-222-2222 has no ends
    low, high = number.value, after.value
    came = FROM.search(text, max(0, number.start - 16), number.start)
    to = TO.fullmatch(text, number.end, after.start)
    if to is not None and (not AND.search(to[0]) or came and came["between"]):
        if to["word"] and to["word"] != text[after.end : after.end + 12].strip()[: len(to["word"])] or not came and low >= high:
            return None
        low, high = sorted((low, high))
    elif not DASH.fullmatch(text, number.end, after.start) or low >= high:
        return None
    return Number(
        start=number.start, end=after.end, text="", kind="quantity", value=(low + high) / 2, low=low, high=high, unit=after.unit or number.unit
    )
