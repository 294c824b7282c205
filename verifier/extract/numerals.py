"""First pass: every numeral of a text, and what is no quantity set aside by class before anything becomes a claim."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.lexicon import load, rules_dir
from verifier.models import Number

NUMERAL = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
    r"|(?<![第一二两三四五六七八九十百])[两三四五六七八九十](?=\s?(?:个|大|层|组|阶段|棒位|类|种|件|条|篇|份|维|倍))"
)
CHINESE = {c: i for i, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
MINUTES = re.compile(r"\s?(?:分钟|分)\s?(\d{1,2}(?:\.\d+)?)\s?秒")
SHORT = re.compile(r"\s?(?:context|token|上下文)", re.I)
PLUS = re.compile(r"\s?[+＋]\s?")
THING = re.compile(r"\s?(?:[\u4e00-\u9fff]{1,6})")
MEMORY = re.compile(r"(?<![A-Za-z])(?:[ABHL]\d{2,3}[A-Z]?|MI\d{3}X?)(?:[ -](?:SXM\d?|PCIe|NVL|HBM\w*))? $")
ASIDE = [
    ("url", r"https?://[^\s）)】>\"']+"),
    ("file", r"(?<![\w./-])[\w./-]{1,200}\.(?:md|txt|py|json|yaml|yml|toml|csv|png|svg|html|engine|cu|sh)\b|(?<![\w./-])[A-Za-z][\w-]{1,80}/[\w-]{1,80}/[\w./-]{1,200}|(?<=· )\d+(?:\.\d+)?\s?[KM]B(?= ·)"),
    ("id", r"(?<![\d.])\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?(?!\d)|paper_card\s*\d+|(?:PR|issue|#)\s?#?\d+"),
    ("date", r"20\d\d\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?|20\d\d[-/]\d{1,2}(?:[-/]\d{1,2})?(?!\d)|20\d\d\s?-?[QH][1-4](?:-Q?[1-4])?|(?<![\d.])[01]?\d-[0-3]?\d(?=\s*(?:\d\d:|[\u4e00-\u9fff]|noon|morning|evening))|\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?\s\d{1,2}(?:,?\s20\d\d)?|(?<![\d.,/])20[12]\d(?![\d.,%]|\s?(?:tok|ms|GB|MB))"),
    ("time", r"(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)"),
    ("section", r"§\s*[\d.]+(?:\.?\(\d+\))?|[Ss]ection\s\d+(?:\.\d+)*"),
    ("discrepancy", r"\bD\d{1,4}(?:\s*[-–]\s*D?\d{1,4})?(?![\w.])"),
    ("ordinal", r"第\s*\d+\s*(?!日|天)\S|#\d+|\b\d+(?:st|nd|rd|th)\b"),
    ("shape", r"(?<![\d.])\d+\s?[×x]\s?\d+(?:\s?[×x]\s?\d+)*(?![\d.]|\s?[A-Z])"),
    ("hash", r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b"),
    ("list_marker", r"^[ \t]{0,20}(?:\d{1,2}[.)、]\s)|[①-⑳]"),
    ("name_part", r"(?<![A-Za-z0-9_-])[A-Za-z][A-Za-z_-]{0,40}\d[\w.]{0,40}(?:-[A-Za-z0-9.]{1,40}){0,6}|(?<![A-Za-z0-9.])\d{1,4}[A-Za-z]{1,8}\d{1,4}[A-Za-z0-9]{0,20}|(?<![\d.])\d+[Dd]\b"),
]  # fmt: skip
PATTERN = re.compile("|".join(f"(?P<{kind}_{i}>{pattern})" for i, (kind, pattern) in enumerate(ASIDE)), re.ASCII | re.MULTILINE)
VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+(?:\.\d+)+(?:[a-z]+\d*|\.post\d+)?\+?(?![\d%])|(?<![A-Za-z])v\d+(?:\.\d+)*")
SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "万": 1e4, "亿": 1e8, "万亿": 1e12, "百万": 1e6, "千": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9,
          "trillion": 1e12}  # fmt: skip
SCALE = re.compile(r"\s?(万亿|百万|万|亿|千(?!瓦)|(?:thousand|million|[bt]rillion)\b)|([kKMBT])(?![A-Za-z])", re.ASCII)


@lru_cache(maxsize=1)
def units() -> tuple[re.Pattern[str], dict[str, str]]:
    """(anchored pattern of every written unit, {written: unit})."""
    import yaml

    data = yaml.safe_load((rules_dir() / "lexicon" / "units.yaml").read_text(encoding="utf-8"))
    table = {str(written): unit for unit, surfaces in data.items() for written in surfaces}
    longest = sorted(table, key=len, reverse=True)
    words = "|".join(re.escape(w) + (r"(?![A-Za-z0-9])" if w[-1].isascii() and w[-1].isalpha() else "") for w in longest)
    return re.compile(rf"[ \t\*]*({words})"), table


def aside(text: str) -> list[tuple[int, int, str]]:
    """(start, end, class) of all that is no quantity, in order, not overlapping."""
    spans = []
    for found in PATTERN.finditer(text):
        kind = (found.lastgroup or "").rsplit("_", 1)[0]
        if any(c.isdigit() or "①" <= c <= "⑳" for c in found[0]):
            spans.append((found.start(), found.end(), kind))
    return spans


def scaled(text: str, end: int) -> tuple[float, int]:
    """(factor, end) of a 万, K or B written behind a numeral."""
    if found := SCALE.match(text, end):
        return SCALES[found[1] or found[2]], found.end()
    return 1.0, end


@lru_cache(maxsize=1)
def _sized() -> re.Pattern[str]:
    """A model's name right before a size: `Llama-2 7B` is a name, not seven billion of something."""
    return re.compile(rf"(?:{'|'.join(map(re.escape, load().written('model')))})[\w.-]* $", re.I)


def _measure(text: str, found: re.Match[str], pattern: re.Pattern[str], table: dict[str, str]) -> tuple[float, int, str | None]:
    """(value, end, unit) of a numeral with what is written behind it."""
    if found[0] in CHINESE:
        value, end = float(CHINESE[found[0]]), found.end()
        if written := pattern.match(text, end):
            return value, written.end(), table[written[1]]
        return value, end, "item"
    if both := MINUTES.match(text, found.end()):
        return float(found[0].replace(",", "")) * 60 + float(both[1]), both.end(), "s"
    factor, end = scaled(text, found.end())
    value = float(found[0].replace(",", "")) * factor
    if written := pattern.match(text, end):
        return value, written.end(), table[written[1]]
    if plus := PLUS.match(text, end):
        if written := pattern.match(text, plus.end()):
            return value, written.end(), table[written[1]]
        if factor == 1.0 and found[0].isdigit() and THING.match(text, plus.end()):
            return value, plus.end(), "item"
    if factor >= 1e3 and SHORT.match(text, end):
        return value, end, "token"
    return value, end, "parameter" if factor == 1e9 and text[found.end() : end] == "B" else None


def numbers(text: str) -> list[Number]:
    """Every numeral with its class; quantities carry value and unit (null where none is written)."""
    pattern, table = units()
    out: list[Number] = []
    spans = [*((m.start(), m.end(), "version") for m in VERSION.finditer(text)), *aside(text)]
    spans.sort(key=lambda s: (s[0], -s[1]))  # stable: of equal spans a version wins over a name part
    reach = 0
    merged = []
    for start, end, kind in spans:
        if start >= reach:
            merged.append((start, end, kind))
            reach = end
    index = 0
    for start, end, kind in merged:
        out.append(Number(start=start, end=end, text=text[start:end], kind=kind))
    place = 0
    for found in NUMERAL.finditer(text):
        while index < len(merged) and merged[index][1] <= found.start():
            index += 1
        if (index < len(merged) and merged[index][0] < found.end()) or found.start() < place:
            continue
        value, end, unit = _measure(text, found, pattern, table)
        kind = "star_rating" if unit == "star" and value <= 5 else "quantity"
        before = text[max(0, found.start() - 24) : found.start()]
        if unit == "parameter" and _sized().search(before) or unit == "GB" and MEMORY.search(before):
            kind = "name_part"
        out.append(Number(start=found.start(), end=end, text=text[found.start() : end], kind=kind, value=value, unit=unit))
        place = end
    out.sort(key=lambda n: n.start)
    return out
