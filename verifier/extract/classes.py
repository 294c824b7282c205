"""The class that a numeral's neighbours put it in: date, time, id, version, name part, list marker, ordinal, …"""

from __future__ import annotations

import re

from verifier.extract.masks import Span
from verifier.extract.units import unit_at

MONTHS = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october november december"
WORDS = {
    **dict.fromkeys(MONTHS.split(), "date"),
    **dict.fromkeys(["section", "sec", "chapter", "appendix", "ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii"], "section"),
    **dict.fromkeys(["table", "figure", "fig", "eq", "equation", "algorithm", "listing", "footnote", "page", "line"], "reference"),
    **dict.fromkeys(["pr", "issue", "pull", "paper_card"], "id"),
    **dict.fromkeys(["in", "since", "by", "during", "until", "before", "after", "of", "year", "from"], "year"),
}  # fmt: skip
SIGNS = {"§": "section", "表": "reference", "图": "reference", "圖": "reference", "录": "reference", "量": "reference", "第": "ordinal"}
DATE_TAIL = re.compile(r"(?:st|nd|rd|th)?(?:,?\s(?:19|20)\d\d)?(?![\d%])")
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
BEFORE_FIRST = LETTERS | frozenset("-#[^/ ") | frozenset(SIGNS)
AFTER_FIRST = LETTERS | frozenset("-./:×* 年月)）、]+")
DAYS = r"(?:0?[1-9]|[12]\d|3[01])"
DATED = re.compile(
    rf"(?:19|20)\d\d\s?年(?:\s?\d{{1,2}}\s?月)?(?:\s?\d{{1,2}}\s?[日号])?|\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?[日号])?"
    rf"|20\d\d([-/])(?:0?[1-9]|1[0-2])(?:\1{DAYS})?(?:T\d\d:?\d\d(?::?\d\d)?Z?)?(?![\d%])|20\d\d\.(?:0[1-9]|1[0-2])\.(?:0[1-9]|[12]\d|3[01])(?![\d.])"
    r"|20\d\d\s?-?[QH][1-4](?:\s?[-–~]\s?Q?[1-4](?!\d))?(?![A-Za-z0-9])"
)
MONTH_DAY = re.compile(rf"(?:0?[1-9]|1[0-2])-{DAYS}(?!\d)(?:/(?:0?[1-9]|1[0-2])-{DAYS}(?!\d))*")
PART_OF_DAY = re.compile(r"\s*(?:\d\d:|noon|morning|evening|night|afternoon|[\u4e00-\u9fff])")
CLOCK = re.compile(r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\.\d{1,6})?(?![\d:])")
PAPER = re.compile(r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}(?!\d)(?:v\d+)?")
COMPOSITE = re.compile(r"\d{3,5}-\d{4}-\d{4,5}(?!\d)|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}(?:-[0-9a-f]{4,12}){0,2}")
ADDRESS = re.compile(r"(?:10|127|172|192|0)\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:[:/]\d{1,5})?(?![\d.])")
VERSION = re.compile(
    r"(?:\d{1,4}\.){2,4}\d{1,8}(?!\d|\.\d)(?:[a-z]+\d*|\.(?:post|dev)\d+|[-.]?rc\.?\d+)?(?:\+[a-z]+\d*)?\+?(?![\d%])|\d+(?:\.\d+){1,4}(?:\.?(?:post|dev)|rc)\d+",
    re.ASCII,
)
V_VERSION = re.compile(rf"v(?:{VERSION.pattern}|\d+(?:\.(?:\d+|x\b))*)", re.ASCII)
SHAPE = re.compile(
    r"\d{3,}\s?[×xX]\s?\d{3,}(?:\s?[×xX]\s?\d+)*(?![\d.])|\d+\s?[×xX]\s?\d+(?:\s?[×xX]\s?\d+)*(?![\d.^⁻⁰¹²³⁴-⁹]|\s?(?:[KMGTP]i?B|[A-Z]\d|[GNT]PU|倍|%))"
)
# so many of a thing: 8×H100, 8× NVIDIA B300, 4× GPUs, 8×80 GB
TIMES_THING = re.compile(
    r"\d+[×xX](?=[A-Z][A-Za-z]*\d|\s(?:NVIDIA|AMD|Intel|Ascend|Google)\s|\s(?:[GNT]PU|[Dd]evice|[Nn]ode|[Cc]ard|[Ss]erver|[Ii]nstance|[Rr]eplica)s?(?![A-Za-z])"
    r"|\s[ABHL]\d{2,3}[A-Z]?s?\b(?! [a-z])|\s?\d+(?:\.\d+)?\s?(?:[KMGT]i?B|[GNT]PU|[A-Z]+\d)|\s(?:TP|PP|DP|EP)\d|\s?[a-z]+_[a-z])"
    r"|\d+\s[×xX](?=\s(?:NVIDIA|AMD|Intel|Ascend|Google|Huawei)\s|\s[A-Z]{1,3}\d{1,3}[A-Z]?(?![A-Za-z\d])(?!\s(?:performance|throughput|speed|perf)\b)|\s\d+(?:\.\d+)?\s?[KMGT]i?B|\s?[a-z]+_[a-z])"
)
NTH = re.compile(r"\d+(?:st|nd|rd|th)(?![A-Za-z0-9])")
HASH = re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?!_?[A-Za-z0-9])")
STYLED = re.compile(r"\d+(?:\.\d+)?(?:px|rem|em|vh|vw)(?![A-Za-z0-9])")
MIXED = re.compile(
    r"\d{1,4}(?![eE]\d{1,3}(?!\w))(?![hm]\d{1,2}[ms]?(?!\w))[A-Za-z]{1,8}\d{1,4}(?!\d*\^)[A-Za-z0-9]{0,20}(?:-[A-Za-z0-9]{1,20})*|\d+[Dd](?![A-Za-z0-9_])",
    re.ASCII,
)
GLUED = re.compile(r"[A-Za-z_]\w{0,40}(?:-[A-Za-z0-9]{1,40}(?:\.\w+)*){0,6}", re.ASCII)
NAME_TAIL = re.compile(r"\d\w{0,40}(?:\.\w{1,40})*(?:-(?!\d[\d.,]*\s?[%×])[A-Za-z0-9]{1,40}(?:\.\w{1,40})*){0,6}", re.ASCII)
DISCREPANCY = re.compile(r"\d{1,4}(?:\s*[-–~]\s*D?\d{1,4})?(?!\w|\.\w)", re.ASCII)
ORDINAL = re.compile(r"\s*(?!日|天)\S")
INDENT = re.compile(r"(?:^|\n)[ \t]{0,20}(?:#{1,6} \**)?[(（]?\Z")
CODE = re.compile(r"(?<![A-Za-z])(?:USD|US|RMB|CNY|EUR|GBP|JPY|HKD)\Z")
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
AFTER = {
    "-": ((COMPOSITE, "id"), (DATED, "date")),
    ".": ((ADDRESS, "id"), (DATED, "date"), (VERSION, "version")),
    "/": ((DATED, "date"),),
    ":": ((CLOCK, "time"),),
    "年": ((DATED, "date"),),
    "月": ((DATED, "date"),),
    "×": ((SHAPE, "shape"), (TIMES_THING, "name_part")),
    "x": ((SHAPE, "shape"), (TIMES_THING, "name_part"), (MIXED, "name_part")),
    "X": ((SHAPE, "shape"), (TIMES_THING, "name_part")),
}
AFTER_LETTER = ((NTH, "ordinal"), (HASH, "hash"), (STYLED, "markup"), (DATED, "date"), (MIXED, "name_part"), (VERSION, "version"))


def before(text: str, start: int, end: int, previous: str, place: int) -> Span | None:
    """The class that what stands right before a numeral puts it in."""
    if previous in LETTERS:
        return _name(text, start, place)
    if previous == " ":
        if start < 2 or (sign := text[start - 2]) == " ":
            return None
        if sign in LETTERS or sign == ".":
            return _after_word(text, start, end)
        return _after_sign(text, start, end, sign, start - 2) if sign in SIGNS else None
    if previous == "-":
        return _name(text, start, place) if start > 1 and text[start - 2] in LETTERS else None
    if previous == "#":
        return (start - 1, end, "id") if text[start:end].isdigit() else None
    if previous == "[" or previous == "^":
        inside = start > 1 and previous == "^" and text[start - 2] == "["
        return (start, end, "reference") if text[end : end + 1] == "]" and text[start:end].isdigit() and (previous == "[" or inside) else None
    if previous == "/":
        word = text[max(0, start - 8) : start - 1].rpartition("/")[2]
        return (start, end, "id") if word in ("pull", "issues", "pulls") else None
    return _after_sign(text, start, end, previous, start - 1)


def _name(text: str, start: int, place: int) -> Span | None:
    """A numeral that letters run into: H100, v0.28.0, D188, gpt-4, c46b0cd0a; None for an amount, USD7."""
    head, least = start, max(place, start - 42)
    while head > least and ((c := text[head - 1]) in LETTERS or c == "-"):
        head -= 1
    while text[head] in "-_":
        head += 1
    written = text[head:start]
    if written == "v" and (found := V_VERSION.match(text, head)):
        tail = NAME_TAIL.match(text, start)
        if tail is None or tail.end() <= found.end():
            return (*found.span(), "version")
    if written == "D" and (found := DISCREPANCY.match(text, start)):
        return (head, found.end(), "discrepancy")
    if CODE.search(written) or not written:
        return None
    if found := HASH.match(text, head):
        return (*found.span(), "hash")
    found = NAME_TAIL.match(text, start)
    return (head, found.end() if found else start + 1, "name_part")


def _after_word(text: str, start: int, end: int) -> Span | None:
    word = text[max(0, start - 14) : start - 1].rpartition(" ")[2].lstrip("([{*_\"'“（\n|").rstrip(".")
    kind = WORDS.get(word.lower())
    if kind is None or not word.islower() and kind == "year":
        return None
    written = text[start:end]
    left = start - 1 - len(word) - (text[start - 2] == ".")
    if kind == "date":
        if word[0].islower() or not written.isdigit() or not (int(written[:9]) <= 31 or len(written) == 4):
            return None
        tail = DATE_TAIL.match(text, end)
        return None if tail is None or unit_follows(text, end) else (left, tail.end(), "date")
    if kind == "year":
        return (
            (start, end, "date") if len(written) == 4 and written.isdigit() and written[:2] in ("19", "20") and not unit_follows(text, end) else None
        )
    if kind == "id":
        return (left, end, "id") if written.isdigit() and len(written) > 2 else None
    if kind == "section" and word in ("vi", "ii", "iii", "iv"):
        return None
    return None if "," in written or unit_follows(text, end) else (left, end, kind)


def _after_sign(text: str, start: int, end: int, sign: str, left: int) -> Span | None:
    if sign == "第":
        tail = ORDINAL.match(text, end)
        return (left, tail.end(), "ordinal") if tail else None
    if sign == "量":
        if text[left - 1 : left] != "增":
            return None
        left -= 1
    return None if unit_follows(text, end) else (left, end, SIGNS[sign])


def unit_follows(text: str, end: int) -> bool:
    """Whether a unit is written behind a numeral."""
    return unit_at(text, end) is not None


def after(text: str, start: int, end: int) -> Span | None:
    """The class that what stands right behind a numeral puts it in."""
    c = text[end : end + 1]
    if c == " ":
        c = text[end + 1 : end + 2]
        if c not in "年月×xXQH" or not c:
            return None
        if c in "QH":
            return (*found.span(), "date") if (found := DATED.match(text, start)) else None
    tried: tuple[tuple[re.Pattern[str], str], ...] = AFTER.get(c, ())
    if c in LETTERS and c not in "xX":
        tried = AFTER_LETTER
    elif c in ".)）、" and (listed := _listed(text, start, end, c)):
        return listed
    for pattern, kind in tried:
        if found := pattern.match(text, start):
            return (*found.span(), kind)
    if c == "-" and (found := MONTH_DAY.match(text, start)):
        ended = found.end()
        if "/" in found[0] or PART_OF_DAY.match(text, ended) and not unit_follows(text, ended):
            return (start, ended, "date")
    return None


def _listed(text: str, start: int, end: int, mark: str) -> Span | None:
    """`1.`, `2)`, `3、` or `(4)` at the beginning of a line."""
    if end - start > 2 or not text[end + 1 : end + 2].isspace() and mark not in "、）" or not INDENT.search(text, max(0, start - 22), start):
        return None
    return start, end + 1, "list_marker"


def year(text: str, start: int, end: int, reach: int) -> bool:
    """Whether four digits are a year: 2026 with nothing behind, or a thing after a space, `2026 类型学`."""
    near = reach == end or text[end] == " "
    return near and "2010" <= text[start:end] < "2030" and text[start - 1 : start] not in ("/", "$", ",")


def glued(text: str, end: int) -> int:
    """Where letters that are no unit and run on from a numeral end: `480p`, `7b-chat`."""
    found = GLUED.match(text, end) if text[end : end + 1] in LETTERS else None
    return found.end() if found else end
