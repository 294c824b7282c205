"""What the words right around a number make of it: sign, direction, bound, approximation, hedge, statistic."""

from __future__ import annotations

import re
from collections import deque
from typing import Literal

UP_WORDS = (
    r"提升|提高|高(?=\s*(?:[约近了]|$))|增加|增长|增至|上升|升高|升至|上涨|上调|加速|提速|加快|翻[倍番了]|快(?![照速])|高出|(?:高于|多于|优于)(?!\s*[~约]?\s*(?:\d|$))|多出|扩大|领先|优势|收益|增益|更高|更快"
    r"|improv\w*|increas\w*|faster|higher|greater|larger|gain\w*|speed-?ups?|boost\w*|more(?! than)|rais\w+|r[io]se[sn]?|climb\w*|gr[eo]w\w*"
    r"|outperform\w*|better|jump\w*|accelerat\w*|surpass\w*|exceed\w*"
)
DOWN_WORDS = (
    r"降低|下降|低(?=\s*(?:[约近了]|$))|减少|损失|缩短|缩小|缩减|节省|节约|削减|压缩|下滑|下跌|跌|降至|降到|降幅|省|减|降|(?:低于|少于)(?!\s*[~约]?\s*(?:\d|$))|少(?!数|量)|慢|更低|更少"
    r"|reduc\w*|decreas\w*|lower\w*|fewer(?! than)|less(?! than)|drop\w*|cuts?|cutting|sav(?:es?|ings?|ed)|shorter|smaller|slower|shr[iua]nk\w*|f[ae]ll\w*"
    r"|compress\w*|declin\w*|cheaper|shav\w+|trim\w*|los(?:s|es|t)|degrad\w*|regress\w*|slow(?:s|ed|down)"
)
# what such a word begins with: most places of a text cost one look at one character
MOVES = "(?=[提高增上升加翻快多扩领优收更降下低减损缩节削压跌省少慢a-ijlmorst])"
MOVE = re.compile(rf"{MOVES}(?:(?P<up>{UP_WORDS})|(?P<down>{DOWN_WORDS}))", re.I)
TARGET = re.compile(r"(?:至|到|为|(?<!up )\bto|\bat)\s*(?:about|around|约|近|~|≈|only|仅|大约|roughly|\s|\*)*[$¥￥]?\s*$", re.I)
CLOSE = re.compile(
    r"(?:了|近|约|大约|超过?|仅|达|可达|高达|最高|最多|至多|分别|逾|了近|了约|幅度?|比例|by|up to|as much as|about|around|over|nearly|roughly"
    r"|approximately|almost|was|were|is|of|只有|不过|小于|more than|less than|at least|another|an? additional|only|just|some|[\s*~≈:：,，+（(\\-])*$",
    re.I,
)
FOLLOWS = re.compile(
    rf"\s*\**\s*(?:的|以上|左右|\+|or more\b)?\s*\**\s*(?:[\u4e00-\u9fff]{{0,6}}?|(?:(?!and\b|or\b|of\b|for\b|with\b|while\b|from\b|at\b|on\b)[A-Za-z0-9-]+\s){{0,2}}){MOVES}(?:(?P<up>{UP_WORDS})|(?P<down>{DOWN_WORDS}))",
    re.I,
)
REACHES = re.compile(r"\bby\b|分别|respectively|了|[达约近]\s*$|[\u4e00-\u9fff]\s?$")
MARGIN = re.compile(r"优势|advantage|领先|\blead\b|outperform", re.I)
DIFFERS = re.compile(r"(?:[\w-]+ )?(?:差距|差异|差别|差[了约]|相差|开销|overhead|\bgap\b|difference|penalty|worse|better)", re.I)
SIGN = re.compile(r"(?<![\w.)）%])(\\?[-−+＋↓↑])\s*[$]?$")
SIGNS: dict[str, Literal["increase", "decrease"]] = {
    "-": "decrease",
    "−": "decrease",
    "↓": "decrease",
    "+": "increase",
    "＋": "increase",
    "↑": "increase",
}
MAX = re.compile(
    r"(?:最高|最多|可达|高达|至多|不超过|不到|不足|低于|小于|少于|多达|提升达|达到多达|up to|as much as|as (?:high|many|low|large|fast) as|at most|no more than"
    r"|less than|fewer than|below|under|within|maximum of|max(?:imum)?|≤|<)\s*\**(?:只有|仅有?|也?只|不过|only|just)?\s*[~约]?\s*[$¥]?$|(?:最多|最高|至多|up to|as much as)\s*(?:可以|可|能够?)?(?:节省|提升|降低|减少|提高|增加|缩短|加速|快|saving|faster)?\s*$|[^到]达\s*\**$",
    re.I,
)
MIN = re.compile(
    r"(?:至少|超过|超|逾|不低于|不少于|高于|大于|多于|at least|no less than|more than|greater than|over|above|exceed(?:s|ed|ing)?|upwards of|≥|>=|>)"
    r"\s*\**\s*[$¥]?$",
    re.I,
)
OPEN = re.compile(r"\d\s?[kKMB万亿]?\s?[+＋]")
PLUSED = re.compile(r"\s?[+＋](?!\s?[A-Za-z\d\u4e00-\u9fff])|\s?(?:以上|or more\b|or higher\b)")
WITHIN = re.compile(r"\s?(?:以内|以下|之内|or less\b|or fewer\b)")
APPROX = re.compile(
    r"(?:~|～|≈|约|近|大约|大概|接近|将近|左右|about|around|roughly|approximately|approx\.?|nearly|almost|circa|some)\s*为?\s*\**\s*[$¥]?\s*$", re.I
)
ROUGHLY = re.compile(r"\s?\**\s?(?:左右|上下|or so\b|ish\b)")
HEDGE = re.compile(
    r"[可待看似预或据有估疑ramclseRAMCLSE](?:(?<=可)能|(?<=待)核|(?<=看)起来|(?<=似)乎|(?<=预)计|(?<=或)许|(?<=据)[称说传]|(?<=有)望|(?<=估)计|(?<=疑)似"
    r"|(?i:(?<=r)eportedly|(?<=a)llegedly|(?<=\bm)(?:ay|ight)\b|(?<=\bc)ould\b|(?<=l)ooks? like|(?<=s)eems?|(?<=\be)(?:xpected to|stimated)\b|(?<=\bl)ikely\b))"
)
STATISTIC = re.compile(
    r"(?<![A-Za-z0-9])([Pp]\d{2}(?:\.\d+)?|mean|median|avg|average|on average|averag(?:ed|ing)|p-?\d{2} )(?![A-Za-z0-9])|平均|均值|中位数?|中值"
)
MEDIAN = {"median": "P50", "中位数": "P50", "中位": "P50", "中值": "P50"}
MEAN = ("mean", "avg", "aver", "on a", "平均", "均值")


def _last(pattern: re.Pattern[str], text: str, left: int, right: int) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(text, left, right), maxlen=1)), None)


def direction(text: str, left: int, start: int, end: int, right: int) -> Literal["increase", "decrease"] | None:
    """increase or decrease: the word behind the number if it leans on it, else the last one before, within left..right."""
    if follows := FOLLOWS.match(text, end, right):
        return "increase" if follows["up"] else "decrease"
    last = _last(MOVE, text, left, start)
    return None if last is None else "increase" if last["up"] else "decrease"


def moved(text: str, left: int, start: int, end: int, right: int) -> bool:
    """Whether a percentage says how much something changed: a verb of change leans on it from either side."""
    last = _last(MOVE, text, left, start)
    if last is not None and not TARGET.search(text, last.end(), start):
        gap = text[last.end() : start]
        if CLOSE.match(gap) or len(gap) <= 48 and REACHES.search(gap) and not re.search(r"[，。；;\d]", gap):
            return True
    return FOLLOWS.match(text, end, right) is not None


def bound(text: str, left: int, start: int, first_end: int, end: int) -> Literal["max", "min"] | None:
    before = text[max(left, start - 24) : start]
    if MAX.search(before) or WITHIN.match(text, end):
        return "max"
    if MIN.search(before) or PLUSED.match(text, end) or PLUSED.search(text[first_end - 1 : end]) or OPEN.search(text, start, end):
        return "min"
    return None


def margin(text: str, left: int, start: int, end: int) -> bool:
    """Whether a percentage is an advantage of one over another."""
    return MARGIN.search(text, left, start) is not None or MARGIN.match(text[end : end + 14].lstrip(" *的")) is not None


def differs(text: str, left: int, start: int, end: int) -> bool:
    """Whether a percentage is called a difference: `差距可达 20%`, `a 3% overhead`."""
    return DIFFERS.search(text, max(left, start - 24), start) is not None or DIFFERS.match(text[end : end + 24].lstrip(" *的")) is not None


def approximate(text: str, start: int, end: int) -> bool:
    return APPROX.search(text, max(0, start - 20), start) is not None or ROUGHLY.match(text, end) is not None


def statistic(text: str, left: int, start: int, end: int, right: int) -> str | None:
    """P99, mean … as stated before the number in its item, else right behind it."""
    last = _last(STATISTIC, text, left, start) or STATISTIC.search(text, end, min(right, end + 24))
    if last is None:
        return None
    word = last[0].strip().lower()
    if word in MEDIAN:
        return MEDIAN[word]
    return "mean" if word.startswith(MEAN) else word.upper().replace("-", "")
