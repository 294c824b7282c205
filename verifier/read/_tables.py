"""Rows of pipe and HTML tables -> cells with exact positions and column heads."""

from __future__ import annotations

import re

from verifier.models import Cell

ALIGNED = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
BAR = re.compile(r"(?<!\\)\|")
EMPTY = frozenset(("", "-", "–", "—"))
TR = re.compile(r"<tr\b[^>]*>(?P<row>.*?)(?=<tr\b|</tr|</table|$)", re.I | re.S)
TD = re.compile(r"<t[dh]\b[^>]*>(?P<cell>.*?)(?=<t[dhr]\b|</t[dhr]|$)", re.I | re.S)
SPAN = re.compile(r"<t[dh]\b[^>]*?colspan\s*=\s*[\"']?(\d{1,2})", re.I)
WRAP = re.compile(r"(?:\s|<[^<>]{0,200}>)*")
UNWRAP = re.compile(r"(?:\s|<[^<>]{0,200}>)+$")


def aligned(line: str) -> bool:
    """Whether a line is a table's alignment row."""
    return "-" in line and "|" in line and ALIGNED.match(line) is not None


def begins(line: str, below: str) -> bool:
    """Whether a line is the head of a table: it has bars, and an alignment row stands below it."""
    return "|" in line and aligned(below)


def cells_of(line: str, at: int, heads: list[str]) -> tuple[Cell, ...]:
    """The cells of one row that begins at character `at` of the file; outer bars may be missing."""
    inner = line.rstrip()
    place = len(inner) - len(inner.lstrip())
    if inner[place : place + 1] == "|":
        place += 1
    end = len(inner) - 1 if inner.endswith("|") and not inner.endswith("\\|") and len(inner) > place else len(inner)
    made: list[Cell] = []
    for bar in (*BAR.finditer(inner, place, end), None):
        stop = bar.start() if bar else end
        written = inner[place:stop].strip()
        begin = at + place + len(inner[place:stop]) - len(inner[place:stop].lstrip())
        head = heads[len(made)] if len(made) < len(heads) else ""
        made.append(Cell.model_construct(start=begin, end=begin + len(written), text=written, head=head, column=len(made)))
        place = stop + 1
    return tuple(made)


def heads_of(rows: list[str]) -> list[str]:
    """Column heads: the first row's; where it leaves blanks under a group's name and the next row has names, both."""
    first = [cell.text for cell in cells_of(rows[0], 0, [])] if rows else []
    if len(rows) < 2 or sum(h.strip("*") in EMPTY for h in first[1:]) < 2:
        return first
    below = [cell.text for cell in cells_of(rows[1], 0, [])]
    named = [text for text in below if text.strip("*") not in EMPTY]
    if len(named) < 0.6 * len(below) or any(re.fullmatch(r"[\d.,%~\s]+\w{0,5}", text) for text in named):
        return first
    carried, out = "", []
    for column, text in enumerate(below):
        own = first[column].strip("*") if column < len(first) else ""
        carried = carried if own in EMPTY else own
        out.append(f"{carried} {text}".strip())
    return out


def html_rows(text: str, start: int, end: int) -> list[tuple[int, int, tuple[Cell, ...]]]:
    """(start, end, cells) of each row of an HTML table; a cell's text is what its tags enclose."""
    rows = []
    heads: list[str] = []
    for row in TR.finditer(text, start, end):
        made: list[Cell] = []
        column = 0
        for mark in TD.finditer(text, row.start("row"), row.end("row")):
            begin = WRAP.match(text, mark.start("cell"), mark.end("cell"))
            first = begin.end() if begin else mark.start("cell")
            tail = UNWRAP.search(text[first : mark.end("cell")])
            last = first + tail.start() if tail else mark.end("cell")
            head = heads[column] if column < len(heads) else ""
            made.append(Cell.model_construct(start=first, end=max(first, last), text=text[first : max(first, last)], head=head, column=column))
            span = SPAN.match(text, mark.start(), mark.end())
            column += int(span[1]) if span else 1
        if made:
            rows.append((row.start(), row.end(), tuple(made)))
            if not heads:
                width = made[-1].column + 1
                heads = [next((c.text for c in reversed(made) if c.column <= i), "") for i in range(width)]
    return rows
