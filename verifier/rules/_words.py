"""How findings word things: names in Chinese, quotations that are never cut inside a word, figures with their unit and their number."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from verifier.lexicon import rules_dir, table
from verifier.models import Claim, Location

SIGNS = {"percent": "%", "x": "×", "percentage_point": " pp"}
BARE = re.compile(r"[\s~≈<>≥≤±+\-−–—→,.\d*约至到]+")
TOKEN = re.compile(r"[A-Za-z0-9_./:#@%+~=\-–]")
OPEN = re.compile(r"\s*[（(\[【「《“][^）)\]】」》”]*$")
SPARE = 16  # characters that a quotation may grow by, so as to end with a word
SAME = 8  # characters that all items of a list begin with: more of them tell nothing more
FEW, MANY = 3, 14  # items of a list that are shown


@lru_cache(maxsize=1)
def _chinese() -> dict[str, str]:
    return {str(name): str(word) for name, word in table(rules_dir() / "lexicon" / "words.yaml").items()}


def zh(name: str) -> str:
    """The Chinese word for a condition, field, metric or label; the name itself where there is none."""
    return _chinese().get(name.replace(" ", "_"), name)


def named(names: Iterable[str]) -> tuple[str, str]:
    """Names as a list, in English and in Chinese."""
    listed = list(names)
    return ", ".join(n.replace("_", " ") for n in listed), "、".join(map(zh, listed))


def short(text: str, most: int = 24) -> str:
    """The beginning of a text: whole where it fits, else cut between words and before a bracket that would stay open."""
    text = text.strip()
    end = min(most, len(text))
    while _inside(text, end):
        end += 1
    if end > most + SPARE and (space := text.rfind(" ", 0, most)) > most // 3:
        end = space
    if end >= len(text):
        return text
    cut = OPEN.sub("", text[:end]) or text[:end]
    return cut.rstrip(" ,，、:：+·-–—（(") + "…"


def _inside(text: str, at: int) -> bool:
    """Whether a cut there would go through a word, an id or a number."""
    return 0 < at < len(text) and bool(TOKEN.match(text[at - 1]) and TOKEN.match(text[at]))


def items(listed: Sequence[str]) -> str:
    """The items of a list; the first few where they are many or begin alike."""
    most = FEW if len(os.path.commonprefix(list(listed))) >= SAME else MANY
    return " | ".join([short(item) for item in listed[:most]] + (["…"] if len(listed) > most else []))


def quoted(claim: Claim) -> str:
    """A claim's text, with its unit where the table's head or the sentence before has it."""
    text = claim.text.strip("*` ")
    if claim.unit in ("item", "version", "date", "") or not BARE.fullmatch(text):
        return text
    return f"{text}{SIGNS[claim.unit]}" if claim.unit in SIGNS else f"{text} {claim.unit}"


def tally(claims: Sequence[Claim]) -> tuple[str, str]:
    """How many figures, and how often they are told where that is more often."""
    number = len({(c.unit, *(abs(n) if isinstance(n, float) else n for n in c.numbers), c.cell) for c in claims})
    en, zh_ = ("1 figure" if number == 1 else f"{number} figures"), f"{number} 个数字"
    return (en, zh_) if number == len(claims) else (f"{en} ({len(claims)} mentions)", f"{zh_}、{len(claims)} 处")


def told(said: Iterable[tuple[int, str]]) -> tuple[str, str]:
    """What stands in which line, in English and in Chinese."""
    pairs = list(said)
    return "; ".join(f"line {n}: {text}" for n, text in pairs), "；".join(f"第 {n} 行：{text}" for n, text in pairs)


def lines(places: Iterable[Claim | Location]) -> str:
    """Their lines, each once."""
    return ", ".join(dict.fromkeys(str(p.line) for p in places))


def lines_zh(places: Iterable[Claim | Location]) -> str:
    return f"第 {'、'.join(dict.fromkeys(str(p.line) for p in places))} 行"
