"""What is written behind a number: units of rules/lexicon/units.yaml, rates made of them, and rates that no list knows."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.lexicon import rules_dir, table

PER = re.compile(r"/\s?|\s?\bper\s|\s?/\s(?=(?:s|GPU|token|request)\b)|每(?=[\u4e00-\u9fff])")
DENOMINATOR = re.compile(
    r"(?:1\s?)?(?P<scale>[KkMB]|million |百万)?\s?(?:input |output )?(?P<word>GPU[-·\s]?(?:h(?:ou)?rs?|h|小时)|[A-Za-zµ]+(?:-[A-Za-z]+)?|[\u4e00-\u9fff]{1,2})"
)
INVERSE = re.compile(r"(?:[·\s]?s(?:\^-1|-1|⁻¹|\^\{-1\}))(?![\w.])")
UNLISTED = re.compile(
    r"[ ]?([A-Za-z][A-Za-z-]{0,15}(?:/[A-Za-z][A-Za-z-]{0,15})*/(?:s|sec|second|h|hr|hour|min|day|GPU|gpu|J|token|W|node|rank|user))(?![\w/])"
)
MEASURING = re.compile(r"[KMGTPE]i?[Bb]|[numk]?s|us|min|h|day|[mkM]?W|J|token|request|[KMGTPE]i?[Bb]/s|token/s|request/s|USD|flop|[MGTPE]FLOPS?")
PARTS = {"hour": "h", "hr": "h", "node": "node", "GPU-hr": "GPU-h", "GPU-hour": "GPU-h"}

# a longer word only begins like a unit: 元数据, 位于, 卡顿
CONTINUES = {
    "元": "数组素件年旦器",
    "位": "于置移宽数图",
    "参": "考与照见加",
    "卡": "顿片槽死在点",
    "瓦": "解",
    "米": "粒",
    "克": "服隆",
    "周": "期围边转年",
}
TIMES = re.compile(
    r"times\s(?=(?:faster|slower|higher|lower|more|less|fewer|larger|smaller|bigger|better|cheaper|longer|shorter|greater|quicker|as|the|that|its|their|speedup)\b)"
)
BLANKS = frozenset(" \t*")


@lru_cache(maxsize=1)
def units() -> tuple[re.Pattern[str], dict[str, str]]:
    """(anchored pattern of every written unit, {written: unit})."""
    data = table(rules_dir() / "lexicon" / "units.yaml")
    known = {str(written): unit for unit, surfaces in data.items() for written in surfaces}
    return re.compile(rf"[ \t\*]*({_either(known)})"), known


@lru_cache(maxsize=1)
def _by_first() -> tuple[dict[str, re.Pattern[str]], dict[str, str]]:
    """({first character: anchored pattern of the units that begin so}, {written: unit}): a number asks one short pattern."""
    known = units()[1]
    return {c: re.compile(_either([w for w in known if w[0] == c])) for c in {w[0] for w in known}}, known


def _either(written: dict[str, str] | list[str]) -> str:
    longest = sorted(written, key=len, reverse=True)
    return "|".join(re.escape(w) + _boundary(w) for w in longest)


def _boundary(written: str) -> str:
    last = written[-1]
    if last.isascii() and last.isalpha():
        return "(?![A-Za-z0-9])"
    return f"(?![{CONTINUES[last]}])" if CONTINUES.get(last) else ""


def unit_at(text: str, end: int) -> tuple[str, int] | None:
    """(unit, its end) of what is written from `end` on."""
    c = text[end : end + 1]
    if c and c in BLANKS:
        end += 1
        while text[end : end + 1] in BLANKS and end < len(text):
            end += 1
        c = text[end : end + 1]
    patterns, table = _by_first()
    pattern = patterns.get(c)
    written = pattern.match(text, end) if pattern else None
    if c == "t" and (times := TIMES.match(text, end)):
        return "x", times.end()
    if written is None:
        return _unlisted(text, end) if c.isascii() and c.isalpha() else None
    unit, end = table[written[0]], written.end()
    c = text[end : end + 1]
    if c == " " and text.startswith(("per ", "/ ", "s-1", "s^-", "s⁻"), end + 1) or c and c in "/每·":
        return rate(text, end, unit)
    return unit, end


def rate(text: str, end: int, unit: str) -> tuple[str, int]:
    """The unit with all that it is counted by: token -> token/s -> token/s/gpu; an unlisted part stays as written."""
    if unit in ("percent", "x", "percentage_point", "item", "star"):
        return unit, end
    table = units()[1]
    for _ in range(3):
        if inverse := INVERSE.match(text, end):
            return f"{unit}/s", inverse.end()
        per = PER.match(text, end)
        part = DENOMINATOR.match(text, per.end()) if per else None
        if per is None or part is None:
            break
        word = part["word"]
        known = PARTS.get(word) or table.get(word) or table.get(word.lower())
        if known == "item" or known == "x":
            known = word
        if known is None and (not word.isascii() or not word.islower() or per[0] != "/" or not MEASURING.fullmatch(unit)):
            break
        if (follows := text[part.end() : part.end() + 1]).isascii() and follows.isalnum():
            break
        scale = (part["scale"] or "").strip().replace("million", "M").replace("百万", "M")
        unit, end = f"{unit}/{scale}{known or word}", part.end()
    return unit, end


def _unlisted(text: str, end: int) -> tuple[str, int] | None:
    """A rate of things that no list knows, as written: `B-KV/s`, `audio-s/s`."""
    found = UNLISTED.match(text, end)
    return (found[1], found.end()) if found else None
