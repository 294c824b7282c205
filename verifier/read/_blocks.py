"""Lines -> blocks, for Markdown and for the flattened text of briefings alike."""

from __future__ import annotations

import re

from verifier.models import Block, BlockKind, Cell

HEADING = re.compile(r"(#{1,6})\s+\S|[一二三四五六七八九十]+、\S|增量\s*\d+\s*[：:]|D\d+\s*[：:]|\d{1,2}(?:\.\d{1,2})+\s+\S")
BULLET = re.compile(r"\s*(?:[•*+\-–]|\d{1,2}[.)])\s+\S")
ROW = re.compile(r"\s*\|.*\|\s*$")
RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*$")
FENCE = re.compile(r"\s*(```|~~~)")


def _level(line: str, mark: re.Match[str]) -> int:
    if mark.group(1):
        return len(mark.group(1))
    return 1 if line[0] in "一二三四五六七八九十" else 2


def blocks(text: str) -> list[Block]:
    """Blocks in order. Hard-wrapped Markdown prose is one paragraph a line here; a row keeps its column heads."""
    found: list[Block] = []
    section: list[tuple[int, str]] = []
    heads: list[str] = []
    table = 0
    fence = False
    front = text.startswith("---\n")
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        at, start = start, start + len(line) + 1
        kind: BlockKind = "paragraph"
        cells: tuple[Cell, ...] = ()
        level = 0
        if front:
            kind = "front_matter"
            front = number == 1 or line.strip() != "---"
        elif FENCE.match(line):
            fence = not fence
            kind = "code"
        elif fence:
            kind = "code"
        elif not line.strip():
            heads = []
            continue
        elif ROW.match(line):
            if RULE.match(line):
                continue
            cells = _cells(line, at, heads)
            kind = "row"
            if not heads:
                heads = [cell.text for cell in cells]
                table += 1
        elif mark := HEADING.match(line):
            kind, level = "heading", _level(line, mark)
            section = [s for s in section if s[0] < level] + [(level, line.strip("# ").strip())]
        elif BULLET.match(line):
            kind = "bullet"
        if kind != "row":
            heads = []
        found.append(Block(kind=kind, start=at, end=at + len(line), line=number, end_line=number, text=line, level=level,
                           section=tuple(s for _, s in section), cells=cells, table=table if kind == "row" else None))  # fmt: skip
    return found


def _cells(line: str, at: int, heads: list[str]) -> tuple[Cell, ...]:
    cells = []
    place = line.index("|") + 1
    for column, part in enumerate(line[place:].rstrip().removesuffix("|").split("|")):
        lead = len(part) - len(part.lstrip())
        begin = at + place + lead
        written = part.strip()
        cells.append(Cell(start=begin, end=begin + len(written), text=written, head=heads[column] if column < len(heads) else "", column=column))
        place += len(part) + 1
    return tuple(cells)
