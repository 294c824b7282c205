"""Every numeral of a text with its class: what is no quantity is set aside, the rest carries value and unit.

One pass finds where numerals begin; each is then read by what stands right before and right behind it, so that
prose without numerals costs nothing and no pattern is tried where its first character does not stand.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.extract import chinese, classes
from verifier.extract.masks import masks
from verifier.extract.measures import Measure, measure
from verifier.extract.units import unit_at, units
from verifier.lexicon import load
from verifier.models import Number

__all__ = ["numbers", "units"]

NUMERAL = re.compile(rf"[0-9{chinese.FIRST}½¼¾⅓⅔{classes.CIRCLED}](?:(?<=[0-9])(?:[0-9]{{0,2}}(?:,[0-9]{{3}})+(?![0-9])|[0-9]*)(?:\.[0-9]+)?)?")
WIDE = re.compile(r"[０-９]")
WIDE_COMMA = re.compile(r"(?<=[0-9])，(?=[0-9]{3}(?![0-9]))")
NARROW = {0xFF10 + i: str(i) for i in range(10)} | dict(zip(map(ord, "．－＋％／ＫｋＭＢＴＧｅＥ"), ".-+%/KkMBTGeE", strict=True))
VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
LETTERS = classes.LETTERS
GLUE = LETTERS | frozenset("-.#[^")
MEMORY = re.compile(r"(?<![A-Za-z])(?:[ABHL]\d{2,3}[A-Z]?|MI\d{3}X?)(?:[ -](?:SXM\d?|PCIe|NVL|HBM\w*))? $")
# Chinese numerals count only with a measure behind them: 三大方向, but not 一个方向
COUNTED = re.compile(r"\s?(?:个|大|层|组|阶段|棒位|类|种|件|条|篇|份|维)")
BOUND = "同统唯任每某这那哪单之逐另万专"  # 同一天 counts no days
NEVER = (1 << 62, 1 << 62, "")


def narrow(text: str) -> str:
    """The text with full-width digits and what belongs to them made narrow, character by character."""
    return WIDE_COMMA.sub(",", text.translate(NARROW)) if WIDE.search(text) else text


@lru_cache(maxsize=1)
def _sized() -> re.Pattern[str]:
    """A model's name right before a size: `Llama-2 7B` is a name, not seven billion of something."""
    return re.compile(rf"(?:{'|'.join(map(re.escape, load().written('model')))})[\w.-]* $", re.I)


def numbers(written: str) -> list[Number]:
    """Every numeral with its class; quantities carry value and unit (null where none is written)."""
    text = narrow(written)
    aside = iter(masks(text))
    mask, behind, kind = next(aside, NEVER)
    out: list[Number] = []
    place = 0
    for found in NUMERAL.finditer(text):
        start = found.start()
        if start < place:
            continue
        while behind <= start:
            mask, behind, kind = next(aside, NEVER)
        if mask <= start:
            out.append(_number(written, mask, behind, kind))
            place = behind
            continue
        first = text[start]
        if first > "9":
            read = _worded(text, start, first)
            if read is None:
                continue
            if isinstance(read, str):
                out.append(_number(written, start, start + 1, read))
                place = start + 1
                continue
            out.append(_quantity(written, start, read, "quantity"))
            place = read.end
            continue
        end = found.end()
        before = text[start - 1] if start else "\n"
        span = classes.before(text, start, end, before, place) if before in classes.BEFORE_FIRST else None
        if span is None and 9 <= end - start <= 10 and text[start + 4] == "." and (paper := classes.PAPER.match(text, start)):
            span = (*paper.span(), "id")
        if span is None and text[end : end + 1] in classes.AFTER_FIRST:
            span = classes.after(text, start, end)
        if span is not None:
            out.append(_number(written, *span))
            place = span[1]
            continue
        if before == "." and end - start < 20 and (start < 2 or not (text[start - 2].isalnum() or text[start - 2] == ".")):
            start -= 1
        read = measure(text, start, end)
        if end - start == 4 and read.unit in (None, "item") and classes.year(text, start, end, read.end):
            read = Measure(None, end)
            sort = "date"
        elif read.unit is None and read.end == end and (tail := classes.glued(text, end)) > end:
            read = Measure(None, tail)
            sort = "name_part"
        else:
            sort = "quantity"
        if read.unit == "star" and (read.value or 0) <= 5:
            sort = "star_rating"
        elif (
            read.unit == "parameter"
            and _sized().search(text, max(0, start - 24), start)
            or read.unit == "GB"
            and MEMORY.search(text, max(0, start - 24), start)
        ):
            sort = "name_part"
        out.append(_quantity(written, start, read, sort))
        place = read.end
    return out


def _worded(text: str, start: int, first: str) -> Measure | str | None:
    """A numeral that does not begin with a digit, or the class that it is set aside in."""
    if first in classes.CIRCLED:
        return "list_marker"
    if first in VULGAR:
        return Measure(VULGAR[first], start + 1)
    if start and (text[start - 1] == "第" or first == "一" and text[start - 1] in BOUND):
        return None
    read = chinese.read(text, start)
    if read is None:
        return None
    if read.unit:
        return Measure(read.value, read.end, read.unit)
    if read.low is not None:
        unit = unit_at(text, read.end)
        return Measure(None, unit[1] if unit else read.end, unit[0] if unit else None, read.low, read.high)
    if unit := unit_at(text, read.end):
        single = read.end - start == 1
        if single and unit[0] == "item" and (first == "一" or not COUNTED.match(text, read.end)):
            return None
        return Measure(read.value, unit[1], unit[0])
    if COUNTED.match(text, read.end) and first != "一":
        return Measure(read.value, read.end, "item")
    return Measure(read.value, read.end) if read.end - start > 1 else None


def _number(text: str, start: int, end: int, kind: str) -> Number:
    return Number(start=start, end=end, text=text[start:end], kind=kind)


def _quantity(text: str, start: int, read: Measure, kind: str) -> Number:
    return Number(start=start, end=read.end, text=text[start : read.end], kind=kind, value=read.value, low=read.low, high=read.high, unit=read.unit)
