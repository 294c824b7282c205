"""Lists written in a line: `6 件 = A + B (x + y) + C`, `5 类（A + B）`, `①…②…`; and how many items they can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

CLASSIFIERS = "件|条|类|个|份|篇|项|种|组|大|家|步|层|款|套|张|棒位|阶段|节点"
DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
COUNTED = re.compile(
    rf"(?<![\w.#§\-–/:：])(?P<about>约|近|逾|超过?|~)?\s*(?P<n>\d{{1,3}}|[一二两三四五六七八九十])(?P<more>\+)?\s?(?P<unit>{CLASSIFIERS})(?!级|章|日|月|分|次|号)"
)
ENGLISH = re.compile(
    r"(?<![\w.#§\-–/])(?P<about>about|some|nearly|over)?\s*(?P<n>[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en)(?P<more>\+)?\s"
    r"(?P<unit>[a-z]+(?: [a-z]+)?s)(?=:)"
)  # fmt: skip
WORDS = dict(zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True))
CIRCLED = re.compile(r"[①-⑳]")
OPENERS = {"（": "）", "(": ")", "「": "」", "[": "]", "【": "】", "《": "》", "“": "”"}
BRACKET = re.compile("[" + re.escape("".join((*OPENERS, *OPENERS.values()))) + "]")
REST = re.compile(r"[\s+、,，·/]*(?:等|等等|etc\.?|and (?:so on|more)|\.\.\.|…)\s*$", re.I)
GROUP = re.compile(rf"\s*(?:\d{{1,3}}|[一二两三四五六七八九十])\s?(?:{CLASSIFIERS})\s?\S")
NUMBERED = re.compile(r"(?:^|\s)(\d{1,2})[.、)]\s")
OWN_COUNT = re.compile(rf"(?:^|\s)(?P<n>\d{{1,3}})\s?(?:(?:{CLASSIFIERS})|$)")
OTHERS = re.compile(r"其他|其它|其余|other|rest")
STEP = re.compile(r"\d\s*(?:→|->)\s*\d")  # a before-and-after figure is a remark on the list, not an item
PLUS = re.compile(r"(?<!\d)\s?\+\s|\s\+\s")
SEPARATORS = (PLUS, *map(re.compile, (r"\s→\s", r"、", r"\s·\s", r"\s/\s", r",\s(?:and\s)?|\sand\s")))
BARE = re.compile(r"[\s*]*(?:arXiv:)?[A-Za-z\d][\w./\-=]*(?:\s*[⭐★]+)?\s*$")


HEAD = re.compile(r"(?:(?! - )[^（(）)：:=。；;，,、+·①\n]){0,36}?\s*(?P<open>（|\(|：|:(?=\s)|\s=\s)")
CLOSED = re.compile(r"[）)]\s*(?P<open>：|:(?=\s)|=)")
INSIDE = re.compile(r"[^（(）)：:=。；;\n]{0,36}[）)]\s*(?P<open>：|:(?=\s))")


class Stated(NamedTuple):
    """A stated count with the list that follows or precedes it, in characters of the text it was found in."""

    start: int
    end: int
    number: int
    vague: bool
    items: tuple[str, ...]
    opener: str
    open_ended: bool


def number_of(count: re.Match[str]) -> int:
    """The value of a count written in digits, Chinese numerals or English words; 0 when it is none."""
    word = count["n"].lower()
    return DIGITS.get(word) or WORDS.get(word) or (int(word) if word.isdigit() else 0)


def stated_lists(text: str) -> Iterator[Stated]:
    """Every count whose list stands in the same text: in parentheses, after `=` or a colon, or before `= N 件`."""
    for found in sorted((*COUNTED.finditer(text), *ENGLISH.finditer(text)), key=lambda m: m.start()):
        number = number_of(found)
        vague = bool(found["about"] or found["more"]) or text[found.end() : found.end() + 2] in ("左右", "以上")
        before = _before(text, found.start())
        if before:
            yield Stated(found.start(), found.end(), number, vague, before, "sum", False)
            continue
        body, opener = _after(text, found)
        items = split(REST.sub("", body))
        if len(items) >= 2:
            open_ended = REST.search(body) is not None or OTHERS.search(body[body.rfind(items[-1]) + len(items[-1]) :]) is not None
            yield Stated(found.start(), found.end(), number, vague, items, opener, open_ended)


def _after(text: str, count: re.Match[str]) -> tuple[str, str]:
    """(body, opener) of the list that opens within a short noun after a count; empty when none does."""
    head = HEAD.match(text, count.end()) or INSIDE.match(text, count.end())
    if (
        not head
        or COUNTED.search(text, count.end(), head.end())
        or (head["open"].strip() == "=" and re.search(r"\+\s[^+=（(]{0,40}$", text[max(0, count.start() - 44) : count.start("n")]))
    ):
        return "", ""  # `8 条 + 4 件 = …` is an equation
    opener, start = head["open"].strip(), head.end()
    if opener in OPENERS:
        end = closing(text, start, OPENERS[opener])
        body = text[start:end]
        if len(split(body)) >= 2:
            return body, opener
        follows = CLOSED.match(text, end)
        if not follows or COUNTED.search(body):
            return "", ""  # `5 件（2 个已入）：`: which count the list is of cannot be told
        opener, start = follows["open"], follows.end()
    end = start
    depth: list[str] = []
    while end < len(text):
        char = text[end]
        if char in OPENERS:
            depth.append(OPENERS[char])
        elif depth and char == depth[-1]:
            depth.pop()
        elif (
            not depth
            and (char in "。；;\n）)】」" or (text.startswith(". ", end) and not text[end - 1].isdigit()))
            or not depth
            and text.startswith(" = ", end)
            and not CIRCLED.search(text, start, end)
        ):
            break
        end += 1
    return text[start:end], opener


def _before(text: str, at: int) -> tuple[str, ...]:
    """The items of `A + B + C = ` right before a count."""
    sign = re.compile(r"\s*[=＝]\s*$").search(text[max(0, at - 4) : at])
    if not sign:
        return ()
    end = max(0, at - 4) + sign.start()
    start, depth = end, 0
    while start > 0:
        char = text[start - 1]
        if char in "）)】」":
            depth += 1
        elif char in "（(【「":
            if not depth:
                break
            depth -= 1
        elif not depth and (char in "。；;\n：" or text.startswith((" = ", ": ", " · "), start - 1)):
            break
        start -= 1
    items = tuple(part.strip(" =·") for part in cut(text[start:end], PLUS))
    counted = sum(OWN_COUNT.search(item) is not None for item in items)
    return items if len(items) >= 2 and counted in (0, len(items)) else ()


def closing(text: str, at: int, char: str) -> int:
    """Where the bracket that was opened before `at` closes; the end of the text when it does not."""
    opener = next(o for o, c in OPENERS.items() if c == char)
    depth = 1
    for place in range(at, len(text)):
        if text[place] == opener:
            depth += 1
        elif text[place] == char:
            depth -= 1
            if not depth:
                return place
    return len(text)


def split(body: str) -> tuple[str, ...]:
    """Items at the top level: circled or running numbers win, then dashes, ` + `, ` → `, 、, ` · `, ` / `.

    A counted group (`… + 4 篇 …`) behind two items or more begins another list.
    """
    if len(marks := list(CIRCLED.finditer(body))) >= 2:  # ①…②…
        ends = [m.start() for m in marks[1:]] + [len(body)]
        return tuple(body[m.end() : e].strip(" +、；;") for m, e in zip(marks, ends, strict=True))
    if len(steps := _running(body)) >= 2:
        ends = [m.start() for m in steps[1:]] + [len(body)]
        return tuple(body[m.end() : e].strip(" -") for m, e in zip(steps, ends, strict=True))
    if body.startswith((" - ", "- ")):
        return tuple(part.strip() for part in cut(body, re.compile(r"(?:^|\s)-\s")) if part.strip())
    parts = next((p for s in SEPARATORS if len(p := cut(body, s)) >= 2), [])
    if any(" " in part.strip() and part.isascii() and len(part.split()) > 5 and "," in body for part in parts):
        return ()  # clauses of a sentence, no list
    kept: list[str] = []
    for place, part in enumerate(parts):
        if place >= 2 and (GROUP.match(part) or STEP.search(part)):
            break
        kept.append(part.strip())
    return tuple(kept)


def _running(body: str) -> list[re.Match[str]]:
    """The marks of an inline list `1. … 2. …`, whatever number it begins with."""
    marks = list(NUMBERED.finditer(body))
    if not marks or marks[0].start() > 2:
        return []
    kept = [marks[0]]
    for mark in marks[1:]:
        if int(mark[1]) == int(kept[-1][1]) + 1:
            kept.append(mark)
    return kept


def cut(body: str, separator: re.Pattern[str]) -> list[str]:
    """The pieces between separators that stand in no brackets."""
    parts, start, depth, read = [], 0, 0, 0
    for found in separator.finditer(body):
        for bracket in BRACKET.finditer(body, read, found.start()):
            depth = depth + 1 if bracket[0] in OPENERS else max(0, depth - 1)
        read = found.start()
        if not depth:
            parts.append(body[start:read])
            start = read = found.end()
    return [*parts, body[start:]]


def total(items: tuple[str, ...]) -> int | None:
    """The sum of the items' own counts (`DATABASE 3 件 + BACKEND 8 件`), where each has one."""
    counts = [OWN_COUNT.search(item) for item in items]
    return sum(int(c["n"]) for c in counts if c) if items and all(counts) else None


def possible(items: tuple[str, ...], joined: set[tuple[str, str]]) -> range:
    """How many things the items can be: a bare name may belong to its neighbour, a pair joined elsewhere may be one."""
    doubtful = sum(BARE.fullmatch(i) is not None for i in items[:-1])
    doubtful += sum((a, b) in joined for a, b in zip(items, items[1:], strict=False))
    return range(max(1, len(items) - doubtful), len(items) + 1)
