"""Lines -> blocks, for Markdown and for the flattened text of briefings alike."""

from __future__ import annotations

import re

from verifier.models import Block, BlockKind, Cell
from verifier.read._tables import aligned, begins, cells_of, heads_of, html_rows

HEADING = re.compile(
    r"(#{1,6})\s+\S|[一二三四五六七八九十]+、\S|增量\s*\d+\s*[：:【]|Increment\s+\d+\s*[:：]|D\d+\s*[：:]|\d{1,2}(?:\.\d{1,2})+\s+\S"
)
BULLET = re.compile(r"\s*(?:[•*+\-–]|\d{1,2}[.)])\s+\S")
ROW = re.compile(r"\s*\|.*\|\s*$")
FENCE = re.compile(r"\s*(```|~~~)")
BREAK = re.compile(r" {2,}$|\\$|<br\s*/?>\s*$|[：:]\s*\**\s*$")
MARKED = re.compile(r"#{1,6} |```|~~~|---$")
OWN = re.compile(r"\s*(?:[<>|]|\[\^?\w+\]:|[=-]{3,}\s*$|!\[)")  # a line that no paragraph continues with
TABLE = re.compile(r"<table\b", re.I)


class _Reading:
    """The state of one pass over the lines."""

    def __init__(self, text: str):
        self.text, self.lines = text, text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        # only Markdown wraps its prose; in flattened text every line is its own paragraph
        self.wraps = any(MARKED.match(line) for line in self.lines)
        self.found: list[Block] = []
        self.section: list[tuple[int, str]] = []
        self.tables = 0

    def add(self, kind: BlockKind, first: int, last: int, level: int = 0, cells: tuple[Cell, ...] = (), table: int | None = None) -> None:
        """A block of whole lines, counted from 0."""
        start, end = self.starts[first], self.starts[last] + len(self.lines[last])
        self.found.append(
            Block.model_construct(
                kind=kind, start=start, end=end, line=first + 1, end_line=last + 1, text=self.text[start:end],
                section=tuple(name for _, name in self.section), level=level, cells=cells, table=table,
            )
        )  # fmt: skip

    def continues(self, index: int) -> bool:
        """Whether a line belongs to the paragraph or bullet right above it."""
        if not (self.wraps and self.found and index):
            return False
        above = self.found[-1]
        return above.kind in ("paragraph", "bullet") and above.end_line == index and not (
            OWN.match(self.lines[index]) or BREAK.search(self.lines[index - 1]) or OWN.match(above.text)
        )  # fmt: skip

    def extend(self, index: int) -> None:
        above = self.found.pop()
        end = self.starts[index] + len(self.lines[index])
        self.found.append(above.model_copy(update={"end": end, "end_line": index + 1, "text": self.text[above.start : end]}))


def _level(line: str, mark: re.Match[str]) -> int:
    if mark.group(1):
        return len(mark.group(1))
    return 1 if line[0] in "一二三四五六七八九十" else 2


def blocks(text: str) -> list[Block]:
    """Blocks in order; wrapped Markdown prose is one paragraph, a table row keeps its column heads."""
    reading = _Reading(text)
    lines, index = reading.lines, 0
    if text.startswith("---\n"):
        while index < len(lines):
            reading.add("front_matter", index, index)
            index += 1
            if lines[index - 1].strip() == "---" and index > 1:
                break
    fence = False
    while index < len(lines):
        line = lines[index]
        if FENCE.match(line) or fence:
            fence ^= FENCE.match(line) is not None
            reading.add("code", index, index)
        elif not line.strip() or aligned(line):
            pass
        elif ROW.match(line) or (index + 1 < len(lines) and begins(line, lines[index + 1])):
            index = _table(reading, index)
            continue
        elif TABLE.search(line):
            index = _html_table(reading, index)
            continue
        elif mark := HEADING.match(line):
            level = _level(line, mark)
            reading.section = [s for s in reading.section if s[0] < level] + [(level, line.strip("# ").strip())]
            reading.add("heading", index, index, level=level)
        elif BULLET.match(line):
            reading.add("bullet", index, index)
        elif reading.continues(index):
            reading.extend(index)
        else:
            reading.add("paragraph", index, index)
        index += 1
    return reading.found


def _table(reading: _Reading, index: int) -> int:
    """Add the rows of a pipe table; return the line behind it. A row may lack its closing bar once the table has begun."""
    lines = reading.lines
    begun = index + 1 < len(lines) and aligned(lines[index + 1])
    reading.tables += 1
    rows: list[int] = []
    while index < len(lines) and lines[index].strip() and (ROW.match(lines[index]) or (begun and "|" in lines[index])):
        if not aligned(lines[index]):
            rows.append(index)
        index += 1
    heads = heads_of([lines[row] for row in rows[:2]])
    for place, row in enumerate(rows):
        made = cells_of(lines[row], reading.starts[row], heads if place else [])
        reading.add("row", row, row, cells=made, table=reading.tables)
    return index


def _html_table(reading: _Reading, index: int) -> int:
    """Add the rows of an HTML table; return the line behind its end."""
    start = reading.starts[index]
    end = reading.text.lower().find("</table", start)
    end = len(reading.text) if end < 0 else end
    reading.tables += 1
    rows = html_rows(reading.text, start, end)
    last = index
    for row_start, row_end, made in rows:
        first = last + reading.text.count("\n", reading.starts[last], row_start)
        last = first + reading.text.count("\n", row_start, row_end)
        reading.found.append(
            Block.model_construct(
                kind="row", start=row_start, end=row_end, line=first + 1, end_line=last + 1, text=reading.text[row_start:row_end], level=0,
                section=tuple(name for _, name in reading.section), cells=made, table=reading.tables,
            )
        )  # fmt: skip
    if not rows:
        reading.add("paragraph", index, index)
    return max(index, last + reading.text.count("\n", reading.starts[last], end)) + 1
