"""Value and unit of a numeral in digits, with the scales, exponents and units written behind it."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from verifier.extract import chinese, english
from verifier.extract.units import unit_at


class Measure(NamedTuple):
    """What a numeral amounts to, up to `end`; two-ended where it says so itself (七十几万)."""

    value: float | None
    end: int
    unit: str | None = None
    low: float | None = None
    high: float | None = None


LONGEST = 40  # digits that a measurement can have; more is no number
WORDS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "mil": 1e6, "mn": 1e6, "MM": 1e6, "billion": 1e9, "bln": 1e9, "bn": 1e9, "trillion": 1e12,
         "tln": 1e12, "lakh": 1e5, "crore": 1e7, "dozen": 12.0, "dozens": 12.0, "dzs": 12.0}  # fmt: skip
LETTERS = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "b": 1e9, "G": 1e9, "T": 1e12}
SCALES = {**WORDS, **LETTERS, **chinese.SCALES}
ZH_SCALE = "[万萬亿億]{1,2}|[百千][万萬]|百(?!分)|千(?![瓦米克卡兆])"
SCALE = re.compile(
    rf"\s{{0,2}}(?:[余餘多]?(?P<zh>{ZH_SCALE})|(?P<word>{'|'.join(sorted(WORDS, key=len, reverse=True))})(?![A-Za-z]))"
    r"|(?P<letter>[kKMBTGb])(?![A-Za-z0-9]|-(?!param)[A-Za-z])|(?P<glued>[kKM])(?=tok|USD|EUR)|\s{1,2}(?P<apart>[kKMGTB])(?=[.,;)]?\s*\Z|\s?(?:tok|param|req))"
)
SCALE_FIRST = frozenset("kKMBTGbhtmlcd 万萬亿億百千余餘多")
AFTER_SPACE = frozenset("kKMGTBhtmblcd万萬亿億百千余餘多 ")
MORE = re.compile(r"\s?零?\s?(\d{1,4})(?:\s?([万萬千百十])|(?![\d.,万萬亿億%]))")
EXPONENT = re.compile(r"[eE]([-+−]?\d{1,3})(?![\w.])|\s?[x×X*·]\s?10(?:\s?\^\s?\{?([-+−–]{0,2}\d{1,3})\}?|([-−–]\d{1,3})(?![\d.])|([⁺⁻]?[⁰¹²³⁴-⁹]+))")
POWER = re.compile(r"\^\s?[({]?([-+−–]{0,2}\d{1,3}(?:\.\d+)?)[)}]?|([⁺⁻]?[⁰¹²³⁴-⁹]+)")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "0123456789+---")
POWER_FIRST = frozenset("^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
EXPONENT_FIRST = frozenset("eExX×*· ")
TIMES = ("×", "x", "*", "·", "X")
MINUTES = (
    (re.compile(r"\s?(?:个小时|個小時|小时|小時|hours?|hrs?|h)\s?(\d{1,2})\s?(?:分钟|分|minutes?|mins?|m)(?![A-Za-z钟之])"), "min"),
    (re.compile(r"\s?(?:分钟|分|minutes?|mins?|m)\s?(\d{1,2}(?:\.\d+)?)\s?(?:秒|seconds?|secs?|s)(?![A-Za-z])"), "s"),
)
SHARING = frozenset("成折分 ")
MINUTES_FIRST = frozenset("小个個hm分 ")
MINUTES_AFTER_SPACE = frozenset("小个個hm分")
SPACED = re.compile(r"(?:[ \u00a0\u2009\u202f]\d{3}){1,4}(?![\d,])(?:\.\d+)?")
LISTED = frozenset(str(1 << n) for n in range(7, 10))  # `64 128 256` are sizes side by side
LAKH = re.compile(r"(?:,\d\d){1,4},\d{3}\.\d+(?![\d,])")  # 12,34,567.89
COMMA = re.compile(r",(\d{1,2})(?![\d,])")
CONTINUOUS = re.compile(r"percent|x|[num]?s|min|h|[KMGTP]i?[Bb](?:/s)?|[mkM]?W|k?J|[MGTP]FLOPS?")
SHORT = re.compile(r"\s?(?:context|token|上下文)", re.I)
PLUS = re.compile(r"\s?[+＋]\s?|\s?[多余](?=[\u4e00-\u9fff])")
THING = re.compile(r"\s?[\u4e00-\u9fff]{1,6}")
SPACES = frozenset(" \u00a0\u2009\u202f")


def measure(text: str, start: int, end: int) -> Measure:
    """The numeral in digits at start..end."""
    written = text[start:end]
    if end - start > LONGEST:
        return Measure(None, end)
    value = float(written.replace(",", "")) if "," in written else float(written)
    after = text[end : end + 1]
    factor, scale = 1.0, ""
    if after in SHARING and after and (shared := _shared(text, start, end, value)):
        return shared
    if after in SPACES and after and text[end + 1 : end + 2].isdigit() and (wide := _spaced(text, start, end)):
        return wide
    if after == "," and text[end + 1 : end + 2].isdigit() and (wide := _decimal_comma(text, end, written)):
        return wide
    if after in EXPONENT_FIRST and (after != " " or text[end + 1 : end + 2] in TIMES) and (found := EXPONENT.match(text, end)):
        power = next(g for g in found.groups() if g)
        value, end = _shifted(value, int(_sign(power))), found.end()
        after = text[end : end + 1]
    elif after in POWER_FIRST and after and (found := POWER.match(text, end)) and abs(power_of := float(_sign(found[1] or found[2]))) < 300:
        try:
            value = value**power_of
        except (OverflowError, ZeroDivisionError):
            return Measure(None, found.end())
        end = found.end()
        after = text[end : end + 1]
    if after in MINUTES_FIRST and (after != " " or text[end + 1 : end + 2] in MINUTES_AFTER_SPACE):
        for pattern, part in MINUTES:
            if found := pattern.match(text, end):
                return Measure(value * 60 + float(found[1]), found.end(), part)
    if after in SCALE_FIRST and after and (after != " " or text[end + 1 : end + 2] in AFTER_SPACE) and (found := SCALE.match(text, end)):
        scale = found[found.lastgroup or 0]
        if scale == "b" and value >= 1000:
            return Measure(value, found.end(), "bit")
        if found["word"] and (said := english.phrase(text, start)) and said[1] >= found.end():
            return _with_unit(text, *said)
        factor = SCALES.get(scale) or SCALES[scale[0]] * SCALES[scale[1]]
        value, end = _scaled(value, factor), found.end()
        if found["zh"]:
            value, end = _parts(text, end, value, factor)
    if unit := unit_at(text, end):
        return Measure(value, unit[1], unit[0])
    after = text[end : end + 1]
    if (after == "+" or after == " " or after in "＋多余") and (plus := PLUS.match(text, end)):
        if unit := unit_at(text, plus.end()):
            return Measure(value, unit[1], unit[0])
        if factor == 1.0 and written.isdigit() and "多" not in plus[0] and THING.match(text, plus.end()):
            return Measure(value, plus.end(), "item")
    if factor >= 1e3 and SHORT.match(text, end):
        return Measure(value, end, "token")
    return Measure(value, end, "parameter" if scale == "B" else None)


def _with_unit(text: str, value: float, end: int) -> Measure:
    unit = unit_at(text, end)
    return Measure(value, unit[1], unit[0]) if unit else Measure(value, end)


def _shifted(value: float, power: int) -> float:
    """value * 10**power without the error of a multiplication: 2.2 亿 is 220,000,000."""
    return float(f"{value!r}e{power}") if "e" not in repr(value) else value * 10.0**power


def _scaled(value: float, factor: float) -> float:
    power = round(math.log10(factor))
    return _shifted(value, power) if 10.0**power == factor else value * factor


def _shared(text: str, start: int, end: int, value: float) -> Measure | None:
    """`9.2 成`, `8.5 折` and `16 分之 5`."""
    if chinese.PART.match(text, end) and (part := chinese.share(text, start)):
        return Measure(part.value, part.end, part.unit)
    tenths = chinese.tenths(text, end, value)
    return Measure(tenths.value, tenths.end, tenths.unit) if tenths else None


def _sign(power: str) -> str:
    """`⁻⁵` and `−5` as `-5`; two minus signs cancel."""
    return power.translate(RAISED).replace("--", "")


def _parts(text: str, end: int, value: float, factor: float) -> tuple[float, int]:
    """What goes on after a Chinese scale: 7 万 5 千 4 百, 3 万 4000."""
    while factor > 10 and (more := MORE.match(text, end)):
        part = float(more[1])
        step = SCALES[more[2]] if more[2] else 1.0
        if part < factor < step and " " not in more[0]:  # 2 千零 30 万 is 2,030 万
            return (value + part) * step, more.end()
        if part * step >= factor or step == 1.0 and " " in more[0] or step == 1.0 and unit_at(text, end) is not None:
            break
        value, end, factor = value + part * step, more.end(), step
    return value, end


def _spaced(text: str, start: int, end: int) -> Measure | None:
    """`12 500 tokens`: groups of three, unless they are numbers side by side or a name's number comes first."""
    if end - start > 3 or text[start] == "0" or not (found := SPACED.match(text, end)):
        return None
    groups = found[0].split()
    lead = text[max(0, start - 2) : start]
    narrow = found[0][0] != " "
    if not narrow:
        first = text[start:end]
        if any(g in LISTED for g in groups) or lead[:1].isdigit() or text[found.end() : found.end() + 2].strip()[:1].isdigit():
            return None
        if end - start == 1 and len(groups) == 1 and groups[0] != "000" or first == groups[0]:
            return None
    value = float(text[start : found.end()].translate({ord(c): None for c in SPACES}))
    unit = unit_at(text, found.end())
    if unit is None and not narrow and len(groups) == 1 and groups[0][-2:] != "00":
        return None
    return Measure(value, unit[1], unit[0]) if unit else Measure(value, found.end())


def _decimal_comma(text: str, end: int, written: str) -> Measure | None:
    """`41,7 GB/s`: a comma for a point where it can be no list, for a list would rise."""
    if lakh := LAKH.match(text, end):
        return _with_unit(text, float(written + lakh[0].replace(",", "")), lakh.end())
    found = COMMA.match(text, end)
    unit = unit_at(text, found.end()) if found else None
    if found is None or unit is None or not written.isdigit() or not CONTINUOUS.fullmatch(unit[0]):
        return None
    if written != "0" and float(found[1]) >= float(written):
        return None
    return Measure(float(f"{written}.{found[1]}"), unit[1], unit[0])
