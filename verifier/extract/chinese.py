"""Chinese numerals: 三, 一百二十, 二万三千亿, 九成二, 百分之八十五, 七十几万, 翻倍, 减半."""

from __future__ import annotations

import re
from typing import NamedTuple

DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {c: i for i, c in enumerate("〇壹贰叁肆伍陆柒捌玖")}
DIGITS |= {"两": 2, "兩": 2, "俩": 2, "貳": 2, "參": 3, "陸": 6}
PLACES = {"十": 10.0, "拾": 10.0, "百": 100.0, "佰": 100.0, "千": 1e3, "仟": 1e3}
SECTIONS = {"万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "兆": 1e12}
SCALES = PLACES | SECTIONS
TURNING = "翻减減腰"
FIRST = f"{''.join(DIGITS)}{''.join(PLACES)}半{TURNING}"  # what can begin a Chinese numeral
INSIDE = "".join((*DIGITS, *SCALES))
DIGIT = f"[{''.join(DIGITS)}]"
SECTION = f"(?:{DIGIT}?[千仟])?零?(?:{DIGIT}?[百佰])?零?(?:{DIGIT}?[十拾])?{DIGIT}?"
WORD = (
    rf"(?=[{INSIDE}])(?:{DIGIT}{{3,40}}|{DIGIT}{{2}}(?=\s?折)|{SECTION}(?:零?[{''.join(SECTIONS)}]{{1,2}}零?{SECTION}){{0,4}})(?:点{DIGIT}{{1,40}})?"
)
NUMBER = rf"(?:[-−负負]?\d[\d,]*(?:\.\d+)?(?:\s?[kK](?![A-Za-z]))?|[负負]?{WORD})"
PART = re.compile(r"\s?分\s*之")
SHARE = re.compile(rf"({NUMBER})\s*分\s*之\s*({NUMBER})")
MANY = re.compile(rf"[{INSIDE}]{{0,12}}(十|百|千|万|亿)几(?=[{''.join(SECTIONS)}\u4e00-\u9fff])([{''.join(SECTIONS)}]*)")
RUN = re.compile(WORD)
TENTHS = re.compile(r"\s?([成折])(?![为為功本立员員长長交果熟品就都绩績型像形倍分叠疊扣算线線])")
HALVED = re.compile(r"[减減]半|腰斩")
TURN = re.compile(rf"翻(?:了)?(?P<times>[一两兩三四])?番|翻(?:了)?(?:一)?倍|(?P<half>{HALVED.pattern})")
HALF = re.compile(r"半(?=个?(?:小时|月|天|年|分钟))|[一对對过過]半(?![径徑年天月个個])")
# no numbers, unless something is counted or measured
IDIOMS = frozenset(("千万", "万一", "一一", "万万", "十一", "三五", "一二", "一百", "百千", "一千零一"))
MEASURED = re.compile(r"\s?(?:[个倍件项条种家台张次名位步层份年天]|[毫微纳]?秒|小时|分钟|[A-Za-z%％])")


class Read(NamedTuple):
    """What a Chinese numeral says; `unit` where it carries its own."""

    end: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str | None = None


def parse(written: str) -> float:
    """三百五十 -> 350, 二万三千亿 -> 2.3e12, 二〇二六 -> 2026, 三点五 -> 3.5."""
    whole, _, fraction = written.partition("点")
    if len(whole) > 1 and all(c in DIGITS for c in whole):
        value = float("".join(str(DIGITS[c]) for c in whole[:30]))
    else:
        value = _placed(whole)
    return value + float("0." + "".join(str(DIGITS[c]) for c in fraction[:30])) if fraction else value


def _placed(written: str) -> float:
    total = section = digit = 0.0
    last = 1.0
    for c in written:
        if c in DIGITS:
            digit, last = float(DIGITS[c]), 10.0 if c in "零〇" else last
        elif c in PLACES:
            section += (digit or 1.0) * PLACES[c] if digit or not section else PLACES[c]
            digit, last = 0.0, PLACES[c]
        else:
            total = (total + section + digit or 1.0) * SECTIONS[c] if total < SECTIONS[c] else total + (section + digit) * SECTIONS[c]
            section = digit = 0.0
            last = SECTIONS[c]
    if digit and last >= 100.0:  # 三万五 is 35,000, 三万零五 is 30,005
        digit *= last / 10
    return total + section + digit


def amount(written: str) -> float:
    """A number in digits or Chinese, negative after 负."""
    negative = written[0] in "-−负負"
    bare = written.lstrip("-−负負").replace(",", "")
    if bare[-1] in "kK":
        return (-1e3 if negative else 1e3) * float(bare[:-1])
    value = float(bare) if bare[0].isascii() else parse(bare)
    return -value if negative else value


def share(text: str, start: int) -> Read | None:
    """百分之八十五 and 千分之二 in percent, 三分之一 as a fraction."""
    found = SHARE.match(text, start)
    if found is None or not (whole := amount(found[1])):
        return None
    part = amount(found[2])
    if found[1] in ("百", "千", "万"):
        return Read(found.end(), round(100 * part / whole, 9), unit="percent")
    return Read(found.end(), part / whole)


def tenths(text: str, end: int, value: float) -> Read | None:
    """九成二 and 9.2 成 are 92 %; 八五折 is 85 %."""
    found = TENTHS.match(text, end)
    if found is None or value > 10 and not (found[1] == "折" and value < 100):
        return None
    percent = value if value > 10 else 10 * value
    more = text[found.end() : found.end() + 1]
    if found[1] == "成" and more in DIGITS and value < 10:
        return Read(found.end() + 1, percent + DIGITS[more], unit="percent")
    return Read(found.end(), round(percent, 9), unit="percent")


def read(text: str, start: int) -> Read | None:
    """The numeral that begins at `start`, without what is written behind it; None where there is none."""
    first = text[start]
    if first in TURNING:
        return _turn(text, start)
    if found := HALF.match(text, start):
        return Read(found.end(), 0.5) if first == "半" else Read(found.end(), 50.0, unit="percent")
    if first == "半":
        return None
    if part := share(text, start):
        return part
    if found := MANY.match(text, start):
        low, step = parse(text[start : found.end(1)]), SCALES[found[1]]
        factor = parse("一" + found[2]) if found[2] else 1.0
        return Read(found.end(), low=low * factor, high=(low + step) * factor)
    run = RUN.match(text, start)
    if run is None or run[0] in IDIOMS and not MEASURED.match(text, run.end()) or all(c in SCALES for c in run[0]) and run[0] != "十":
        return None
    written, end = run[0], run.end()
    if len(written) > 1 and written[-1] == "千" and text[end : end + 1] in ("瓦", "米", "克", "卡"):
        written, end = written[:-1], end - 1  # 五千瓦 is 5 kW
    value = parse(written)
    return tenths(text, end, value) or Read(end, value)


def _turn(text: str, start: int) -> Read | None:
    found = TURN.match(text, start)
    if found is None:
        return None
    if found["half"]:
        return Read(found.end(), 50.0, unit="percent")
    return Read(found.end(), 2.0 ** DIGITS[found["times"] or "一"], unit="x")
