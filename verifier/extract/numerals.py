"""Every numeral of a text with its class: what is no quantity is set aside, the rest carries value and unit.

One pass finds where numerals begin; each is then read by what stands right before and right behind it, so that
prose without numerals costs nothing and no pattern is tried where its first character does not stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from verifier.extract import chinese, classes, english
from verifier.extract.masks import masks
from verifier.extract.measures import CONTINUOUS, Measure, measure
from verifier.extract.units import unit_at, units
from verifier.lexicon import load
from verifier.models import Number

__all__ = ["numbers", "units"]

NUMERAL = re.compile(
    rf"[0-9{chinese.FIRST}½¼¾⅓⅔{classes.CIRCLED}](?:(?<=[0-9])(?:(?<![0-9]\.[0-9])(?:[0-9]{{0,2}}(?:,[0-9]{{3}})+(?![0-9])|[0-9]*)(?:\.[0-9]+(?![0-9]|\.[0-9]))?|[0-9]*))?"
)
WIDE = re.compile(r"[０-９Ａ-Ｚａ-ｚ％]")
WIDE_COMMA = re.compile(r"(?<=[0-9])，(?=[0-9]{3}(?![0-9]))")
NARROW = {c: c - 0xFEE0 for c in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), *map(ord, "．－＋％／"))}
VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
LETTERS = classes.LETTERS
MEMORY = re.compile(r"(?<![A-Za-z])(?:[ABHL]\d{2,3}[A-Z]?|MI\d{3}X?|\d{3}[A-Z])(?:[ -](?:SXM\d?|PCIe|NVL|HBM\w*))? $")
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


@lru_cache(maxsize=1)
def _parts() -> re.Pattern[str]:
    """Names of parts that begin with a digit and look like a size: 910B is an accelerator, no 910 billion."""
    names = sorted((w for w in load().written("accelerator") if w[0].isdigit() and not w.isdigit()), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?![A-Za-z0-9]|\s?(?:param|参数))")


def numbers(written: str, bare: bool = False) -> list[Number]:
    """Every numeral with its class, unsigned, the ends of a range apart; quantities carry value and unit (null where none is written).

    Number words count where a measure stands behind them; `bare` takes those that stand alone too.
    """
    text = narrow(written)
    out: list[Number] = []
    words = _words(text, bare)
    word = next(words, None)
    place = 0
    for number in _digits(written, text, bare):
        while word is not None and word.start < number.start:
            if word.start >= place:
                out.append(word)
                place = word.end
            word = next(words, None)
        if number.start >= place:
            out.append(number)
            place = number.end
    while word is not None:
        if word.start >= place:
            out.append(word)
            place = word.end
        word = next(words, None)
    return out


def _words(text: str, bare: bool) -> Iterator[Number]:
    """English number words: `twelve ms`, `twice as fast`; `bare`: `two phases` too, but no `one`."""
    place = 0
    for found in english.FIRST.finditer(text):
        start = found.start()
        if start < place:
            continue
        if said := english.factor(text, *found.span()):
            value, end, unit = said
        elif counted := english.phrase(text, start):
            value, end = counted
            measured = unit_at(text, end)
            if measured and (bare or CONTINUOUS.fullmatch(measured[0])):
                unit, end = measured
            elif bare and (end > found.end() or found[0].lower() != "one" or text.startswith(" over ", end)):
                unit = None
            else:
                place = end
                continue
        else:
            continue
        place = end
        yield _quantity(text, start, Measure(value, end, unit), "quantity")


def _digits(written: str, text: str, bare: bool) -> Iterator[Number]:
    """Numerals that begin with a digit or a Chinese one."""
    aside = iter(masks(text))
    mask, behind, kind = next(aside, NEVER)
    place = 0
    for found in NUMERAL.finditer(text):
        start = found.start()
        if start < place:
            continue
        while behind <= start:
            mask, behind, kind = next(aside, NEVER)
        if mask <= start:
            yield _number(written, mask, behind, kind)
            place = behind
            continue
        first = text[start]
        if first > "9":
            number = _worded(written, text, start, first, bare)
        else:
            number = _counted(written, text, start, found.end(), place)
        if number is not None:
            yield number
            place = number.end


def _counted(written: str, text: str, start: int, end: int, place: int) -> Number:
    """The numeral in digits at start..end: set aside for what stands around it, or measured."""
    previous = text[start - 1] if start else "\n"
    span = classes.before(text, start, end, previous, place) if previous in classes.BEFORE_FIRST else None
    if span is None and 9 <= end - start <= 10 and text[start + 4] == "." and (paper := classes.PAPER.match(text, start)):
        span = (*paper.span(), "id")
    if span is None and text[end : end + 1] in classes.AFTER_FIRST:
        span = classes.after(text, start, end)
    if span is None and end - start == 3 and (part := _parts().match(text, start)):
        span = (*part.span(), "name_part")
    if span is not None:
        return _number(written, *span)
    if previous == "." and end - start < 20 and (start < 2 or not (text[start - 2].isalnum() or text[start - 2] == ".")):
        start -= 1
    read = measure(text, start, end)
    kind = "quantity"
    if end - start == 4 and read.unit in (None, "item") and classes.year(text, start, end, read.end):
        return _number(written, start, end, "date")
    if read.unit is None:
        if read.end == end and (tail := classes.glued(text, end)) > end:
            unit = text[end:tail] if text[end:tail].isalpha() and tail - end < 8 else None
            read, kind = Measure(read.value if unit else None, tail, unit), "name_part"
    elif read.unit == "star" and (read.value or 0) <= 5:
        kind = "star_rating"
    elif (
        read.unit == "parameter"
        and _sized().search(text, max(0, start - 24), start)
        or read.unit == "GB"
        and MEMORY.search(text, max(0, start - 24), start)
    ):
        kind = "name_part"
    return _quantity(written, start, read, kind)


def _worded(written: str, text: str, start: int, first: str, bare: bool) -> Number | None:
    """A numeral that begins with no digit: 三倍, ½, ②; None where it is part of a word."""
    if first in classes.CIRCLED:
        return _number(written, start, start + 1, "list_marker")
    if first in VULGAR:
        return _quantity(written, start, Measure(VULGAR[first], start + 1), "quantity")
    if start and (text[start - 1] == "第" or first == "一" and text[start - 1] in BOUND):
        return None
    read = chinese.read(text, start)
    if read is None:
        return None
    end, single = read.end, read.end - start == 1
    unit = (read.unit, end) if read.unit else unit_at(text, end)
    if unit and single and unit[0] == "item" and not bare and (first == "一" or not COUNTED.match(text, end)):
        unit = None
    if unit is None and first != "一" and COUNTED.match(text, end):
        unit = ("item", end)
    if unit is None and single and not bare:
        return None
    return _quantity(written, start, Measure(read.value, unit[1] if unit else end, unit[0] if unit else None, read.low, read.high), "quantity")


def _number(text: str, start: int, end: int, kind: str) -> Number:
    if kind == "date" and end - start == 4 and text[start:end].isdigit():
        return Number(start=start, end=end, text=text[start:end], kind=kind, value=float(text[start:end]))
    return Number(start=start, end=end, text=text[start:end], kind=kind)


def _quantity(text: str, start: int, read: Measure, kind: str) -> Number:
    return Number(start=start, end=read.end, text=text[start : read.end], kind=kind, value=read.value, low=read.low, high=read.high, unit=read.unit)
