"""Scopes in a table: the row's cells, the column's head, the block row above, cells that carry the value over them."""

from __future__ import annotations

import re

from verifier.extract.scopes import Part, Scope, Spread, Voice
from verifier.extract.statements import Mention, heads, within
from verifier.models import Block, Cell

CARRIES = ("", "-", "–", "—", "同上", "〃", '"')
UNIT = re.compile(r"\s*[(（\[][^)）\]]*[)）\]]\s*$")
COMPARES = re.compile(r"improve|speed-?up|difference|change|gain|delta|Δ|ratio|\bv\.?s\b|变化|提升|改进|加速比|差异|对比|倍数", re.I)
BASE = re.compile(r"baseline|standard|before|without|\bno\b|default|基线|传统|原始|默认|原生", re.I)


class Tables:
    """The tables of a document, by row."""

    def __init__(self, blocks: tuple[Block, ...], mentions: dict[int, list[Mention]]):
        self._mentions = mentions
        self._extents: dict[int, tuple[int, int]] = {}
        self._carried: dict[int, dict[int, tuple[Block, Cell]]] = {}
        self._group: dict[int, Block] = {}
        self._first: dict[int, Block] = {}
        self._row: tuple[Block | None, list[Part]] = (None, [])  # the last row asked for, and what its cells state
        above: dict[int, tuple[Block, Cell]] = {}
        group: Block | None = None
        for index, block in enumerate(blocks):
            if block.kind != "row" or block.table is None:
                continue
            if block.table not in self._extents:
                self._extents[block.table], above, group = (index, index), {}, None
                self._first[block.table] = block
            self._extents[block.table] = (self._extents[block.table][0], index)
            full = [c for c in block.cells if c.text.strip("*_ ") not in CARRIES]
            if len(full) == 1 and len(block.cells) > 1 or len(block.cells) == 1:
                group, above = block, {}
            if group is not None:
                self._group[block.start] = group
            self._carried[block.start] = {c.column: above[c.column] for c in block.cells if c.text in CARRIES and c.column in above}
            above = {**above, **{c.column: (block, c) for c in full}}

    def extent(self, block: Block) -> tuple[int, int]:
        """Indices of the first and last row of a row's table."""
        return self._extents[block.table or 0]

    def scopes(self, block: Block, cell: Cell, start: int, end: int) -> list[Voice]:
        """Nearest first, for the number at block.text[start:end] in a cell."""
        left, right = cell.start - block.start, cell.end - block.start
        inside = within(self._mentions[block.start], left, right)
        shifted = [m._replace(start=m.start - left, end=m.end - left) for m in inside]
        found = list(Spread("clause", block.line, cell.text, shifted).around(start - left, end - left)) if shifted else []
        if self._row[0] is not block:
            self._row = block, [self._cell(block, c) for c in block.cells]
        beside = [p for c, p in zip(block.cells, self._row[1], strict=True) if c is not cell and p.mentions]
        rest = [Scope("row", block.line, tuple(beside))]
        rest.append(Scope("column", self._head_line(block), (self._column(block, cell),)))
        group = self._group.get(block.start)
        if group is not None and group is not block:
            rest.append(Scope("block", group.line, (Part(tuple(self._mentions[group.start])),)))
        return [*found, *(Voice(s) for s in rest if s.parts)]

    def _cell(self, block: Block, cell: Cell) -> Part:
        """What another cell of the row states: a value under a head that names a condition, or words."""
        row, said = self._carried.get(block.start, {}).get(cell.column, (block, cell))
        text = said.text.strip("*_` ").replace("\\", "")
        name = heads().get(_head(cell.head))
        if name and text not in CARRIES and len(text) <= 60:
            return Part((Mention(said.start, said.end, name, text),))
        mentions = within(self._mentions[row.start], said.start - row.start, said.end - row.start)
        return Part(tuple(m for m in mentions if m.name != "as_of"))

    def _column(self, block: Block, cell: Cell) -> Part:
        """What the head says; a column that compares speaks for the column that it praises."""
        head = self._head_cell(block, cell)
        if COMPARES.search(cell.head):
            others = [c for c in block.cells[1:] if c.column < cell.column and any(ch.isdigit() for ch in c.text)]
            praised = [c for c in others if not BASE.search(c.head)]
            head = self._head_cell(block, praised[-1]) if praised else head
        if head is None:
            return Part(())
        first = self._first[block.table or 0]
        name = heads().get(_head(first.cells[0].text)) if first.cells else None
        value = head.text.strip("*_` ")
        if name not in (None, "shape", "model", "engine", "accelerator") and re.fullmatch(r"\d[\d,.]*[kK]?", value):
            return Part((Mention(0, 0, name or "", value),))
        return Part(tuple(within(self._mentions[first.start], head.start - first.start, head.end - first.start)))

    def _head_cell(self, block: Block, cell: Cell) -> Cell | None:
        first = self._first[block.table or 0]
        return next((c for c in first.cells if c.column == cell.column), None) if first is not block else None

    def _head_line(self, block: Block) -> int:
        return self._first[block.table or 0].line


def _head(text: str) -> str:
    """A head without its unit and its marks."""
    return UNIT.sub("", text).strip("*_` ").lower()
