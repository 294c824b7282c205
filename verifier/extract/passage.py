"""The clause model of a block: where its items, clauses and sentences end, and what stands before a bracket.

One scan finds the marks; everything else asks for the frame around a place. A bracketed aside is skipped
when reading on from outside it, and from inside it leads to its host, the words before the bracket.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from verifier.models import Number

# the first character comes first and is looked back on, so that most places of a text cost one look at one character
MARK = re.compile(
    r"[（(【「『“《）)】」』”》。！？\s.!?，；;,bw但而：、①-⑳:—/a以](?:(?<=[（(【「『“《])(?P<open>)|(?<=[）)】」』”》])(?P<close>)"
    r"|(?<=[。！？])(?P<end>)|(?<=\s)(?:[-|•]\s(?P<break>)|[–+·/=→&]\s(?P<joint>))"
    r"|(?<=[.!?])(?=\*{0,2}\s)(?<!\bvs.)(?<!e\.g.)(?<!i\.e.)(?<!\bal.)(?P<stop>)"
    r"|(?:(?<=[，；;但])|(?<=,)(?!\d)|(?<=\bb)ut\b|(?<=\bw)h(?:ile|ereas)\b|(?<=而)(?=[A-Za-z\s]))(?P<comma>)"
    r"|(?:(?<=[：、①-⑳])|(?<=:)(?=\*{0,2}\s)|(?<=—)—?|(?<=[\d%×倍xX秒⭐]/)(?=[^\W\d])|(?<=\ba)nd\b|(?<=以)及)(?P<item>))"
)
KINDS = {"break": "end", "stop": "end", "joint": "item"}
STEPS = 48  # marks that a reader looks back over
REACH, NUMERALS = 640, 32  # characters and numerals; further off nothing in a sentence bears on a number, so that an endless one costs no more
DEEP = 30  # brackets within brackets; what opens deeper is text


class Frame(NamedTuple):
    """The item, clause and sentence around a place, within reach of it, and the index of the bracket that encloses it (-1: none)."""

    item: int
    clause: int
    sentence: int
    item_end: int
    clause_end: int
    sentence_end: int
    opener: int


class Passage:
    """The marks of one text, and where its numerals end."""

    def __init__(self, text: str, numbers: Sequence[Number] = ()):
        self.text = text
        self._numerals = [n.end for n in numbers]
        self._at: list[int] = []
        self._end: list[int] = []
        self._kind: list[str] = []
        self._up: list[int] = []
        self._mate: dict[int, int] = {}
        self._before: dict[int, tuple[int, int, int]] = {}
        self._after: dict[int, tuple[int, int, int]] = {}
        stack: list[int] = []
        for found in MARK.finditer(text):
            kind = KINDS.get(found.lastgroup or "", found.lastgroup or "")
            here = len(self._at)
            if kind == "open":
                if len(stack) >= DEEP:
                    continue
                stack.append(here)
            elif kind == "close":
                if not stack:
                    continue
                mate = stack.pop()
                self._mate[mate], self._mate[here] = here, mate
            self._at.append(found.start())
            self._end.append(found.end())
            self._kind.append(kind)
            self._up.append(stack[-1] if stack else -1)

    def frame(self, start: int, end: int) -> Frame:
        """What surrounds text[start:end]."""
        left = bisect_right(self._end, start) - 1
        right = bisect_left(self._at, end)
        before = self._before.get(left) or self._before.setdefault(left, self._back(left))
        after = self._after.get(right) or self._after.setdefault(right, self._on(right))
        opener = self._up[left] if left >= 0 else -1
        low, high = self._within(start, end)
        if low <= before[2] and after[2] <= high:
            return Frame(*before, *after, opener)
        item, clause, sentence = (max(low, b) for b in before)
        item_end, clause_end, sentence_end = (min(a, high) for a in after)
        return Frame(item, clause, sentence, item_end, clause_end, sentence_end, opener)

    def _within(self, start: int, end: int) -> tuple[int, int]:
        """How far what bears on text[start:end] may reach."""
        low, high = max(0, start - REACH), end + REACH
        before = bisect_right(self._numerals, start) - NUMERALS
        after = bisect_left(self._numerals, end) + NUMERALS
        if before > 0:
            low = max(low, self._numerals[before - 1])
        if after < len(self._numerals):
            high = min(high, self._numerals[after])
        return low, high

    def opener(self, place: int) -> int:
        """The index of the bracket that encloses a place, or -1."""
        left = bisect_right(self._end, place) - 1
        return self._up[left] if left >= 0 else -1

    def host(self, frame: Frame) -> tuple[int, Frame] | None:
        """The place of the bracket around a frame and the frame of what stands before it."""
        if frame.opener < 0:
            return None
        place = self._at[frame.opener]
        return place, self.frame(place, place)

    def _back(self, i: int) -> tuple[int, int, int]:
        item = clause = -1
        sentence = 0
        for _ in range(STEPS):
            if i < 0:
                break
            kind = self._kind[i]
            if kind == "close":
                i = self._mate[i] - 1
                continue
            if kind in ("open", "end"):
                sentence = self._end[i]
                break
            if item < 0:
                item = self._end[i]
            if kind == "comma" and clause < 0:
                clause = self._end[i]
            i -= 1
        else:
            sentence = self._end[i] if i >= 0 else 0
        clause = clause if clause >= 0 else sentence
        return (item if item >= 0 else clause), clause, sentence

    def _on(self, i: int) -> tuple[int, int, int]:
        item = clause = -1
        sentence = len(self.text)
        for _ in range(STEPS):
            if i >= len(self._at):
                break
            kind = self._kind[i]
            if kind == "open":
                i = self._mate.get(i, len(self._at)) + 1
                continue
            if kind in ("close", "end"):
                sentence = self._at[i]
                break
            if item < 0:
                item = self._at[i]
            if kind == "comma" and clause < 0:
                clause = self._at[i]
            i += 1
        else:
            sentence = self._at[i] if i < len(self._at) else sentence
        clause = clause if clause >= 0 else sentence
        return (item if item >= 0 else clause), clause, sentence
