"""Flattened text -> parts: every line stands for itself; bars, fences and headings are known by sight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.read._lines import Kind, Lines, Part

WORDED = re.compile(
    r"\**(?:(?P<chapter>[一二三四五六七八九十]+、)\S|(?:增量|Increment)\s*\d+\s*[：:【]|[^\s：:。，,#|]{2,24}\s?#\d{1,3}\s?[：:]\s?\S|D\d+\s*[：:])"
)
NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})+\s+\S[^\n]{0,120}(?<![。.；;：:])$")  # `1.2 Sources`; a longer line is a sentence
HASHES = re.compile(r"(#{1,6})\s+\S")
BULLET = re.compile(r"\s*(?:[•▪◦‣·*+\-–]|\d{1,2}[.)])\s+\S")
ROW = re.compile(r"\s*\|.*\|\s*$")
FENCE = re.compile(r"\s*(?:```|~~~)")


def heading(line: str) -> int:
    """The level of a heading known by sight; 0 for any other line."""
    if found := HASHES.match(line):
        return len(found[1])
    if found := WORDED.match(line):
        return 1 if found["chapter"] else 2
    return 2 if NUMBERED.match(line) else 0


def parts(lines: Lines) -> Iterator[Part]:
    """One part a line; adjacent rows of bars are one table."""
    fence = False
    line = 0
    while line < lines.count:
        written, first = lines[line], line
        kind: Kind = "paragraph"
        level = 0
        line += 1
        if FENCE.match(written) or fence:
            fence ^= FENCE.match(written) is not None
            kind = "code"
        elif not written.strip():
            continue
        elif ROW.match(written):
            kind = "table"
            while line < lines.count and ROW.match(lines[line]):
                line += 1
        elif level := heading(written):
            kind = "heading"
        elif BULLET.match(written):
            kind = "bullet"
        yield Part(kind, first, line - 1, lines.starts[first], level)
