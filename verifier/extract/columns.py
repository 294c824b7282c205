"""What a table's heads say of a cell: its unit, its metric, what it compares, and against which column or block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import NamedTuple

from verifier.extract.numerals import units
from verifier.models import Block, Cell

PLAIN = re.compile(r"[*_ \\]*[~≈<>≤≥+±-]?\s?[\d,.]+\s?[*_ ]*")
BRACKET = re.compile(
    r"[(（\[]([^)）\]]+)[)）\]]|(?:,|，|/|\bin)\s*([A-Za-zµμ%/]+)\s*$|(?<=[\s_])(TFLOPS|GFLOPS|[QR]PS|tok/s|tokens/s)\b|^(RPS|QPS|TPS|TFLOPS)\b"
)
COMPARES = re.compile(
    r"improve|speed-?up|difference|change|gain|delta|Δ|ratio|reduction|increase|saving|\bv\.?s\b|变化|提升|改进|加速|差异|对比|倍数|降幅|增幅|节省|收益",
    re.I,
)
FACTOR = re.compile(r"speed-?up|加速比|倍数|ratio|\bv\.?s\b", re.I)
BASE = re.compile(
    r"baseline|standard|before|without|\bno\b|\bold\b|default|vanilla|stock|native|original|reference|naive|优化前|基线|传统|原始|默认|原生|之前|旧|标准|无",
    re.I,
)
VERSUS = re.compile(r"(?:\bv\.?s\.?\s|\bover\s|\bversus\s|\bagainst\s|相比|相对|较|对比|比)\s*(.+)$", re.I)
ONE = re.compile(r"[*_ ]*1(?:\.0+)?\s?[x×倍]?[*_ ]*", re.I)
VALUE = re.compile(r"[*_ ]*[~≈]?\s?(\d[\d,]*(?:\.\d+)?)\s?([^\d*|]{0,12})")
SPEEDUPS = re.compile(r"speed-?up|加速比|提升|ratio|improvement|gain", re.I)
UNIT_PART = re.compile(r"\s*[(（\[](?![^)）]*=)[^)）\]]*[)）\]]\s*")
CARRIES = ("", "-", "–", "—", "同上", "〃")


class Operand(NamedTuple):
    value: float
    cell: Cell


class Columns:
    """The tables of a document, row by row."""

    def __init__(self, blocks: tuple[Block, ...]):
        self._rows: dict[int, list[Block]] = {}
        self._group: dict[int, tuple[str, int]] = {}
        self._lead: dict[int, str] = {}
        self._told: dict[str, str] = {}
        self._starts: dict[int, list[int]] = {}
        for block in blocks:
            if block.kind == "row" and block.table is not None:
                self._rows.setdefault(block.table, []).append(block)
        for rows in self._rows.values():
            label, place, lead = "", 0, ""
            for row in rows:
                full = [c for c in row.cells if c.text.strip("*_ ") not in CARRIES]
                if len(full) == 1 and len(rows) > 1 and full[0].column == 0 and not any(ch.isdigit() for c in row.cells[1:] for ch in c.text):
                    label, place = bare(full[0].text), 0
                else:
                    place += 1
                self._group[row.start] = (label, place)
                if row.cells and row.cells[0].text.strip("*_ ") not in CARRIES:
                    lead = row.cells[0].text
                self._lead[row.start] = lead
            self._told.update(_told_apart([self._lead[row.start] for row in rows]))

    def cell(self, block: Block, place: int) -> Cell | None:
        """The cell that holds a place of the block's text."""
        if not block.cells:
            return None
        starts = self._starts.get(block.start) or self._starts.setdefault(block.start, [c.start for c in block.cells])
        at = bisect_right(starts, block.start + place) - 1
        return block.cells[at] if at >= 0 and block.start + place < block.cells[at].end else None

    def lead(self, block: Block) -> str:
        """The row's own head: its first cell, or the one above that it carries on."""
        return self._lead.get(block.start, block.cells[0].text if block.cells else "")

    def row_name(self, block: Block) -> str:
        """The row's own head without unit and marks, with its bracket where that alone tells it from another row's."""
        lead = self.lead(block)
        return self._told.get(lead) or bare(lead)

    def group(self, block: Block) -> str:
        """The block row above, `**H100**`, or nothing."""
        return self._group.get(block.start, ("", 0))[0]

    def compares(self, cell: Cell) -> bool:
        """Whether a cell's column says how others relate."""
        return COMPARES.search(cell.head) is not None

    def unit(self, block: Block, cell: Cell) -> str | None:
        """The unit that its heads give a bare number; None where the cell is no measurement."""
        if not cell.head or not PLAIN.fullmatch(cell.text):
            return None
        for head in (cell.head, self.lead(block) if cell.column else ""):
            if found := _unit_in(head):
                return found
        if "." in cell.text and FACTOR.search(cell.head):
            return "x"
        return None

    def baseline(self, block: Block, cell: Cell, value: float, unit: str, lower_is_better: bool, signed: bool) -> str | None:
        """The column, block or thing against which a comparing cell was computed."""
        if named := VERSUS.search(cell.head):
            return named[1].strip(" *_()（）")
        if not (signed or unit == "x" or self.compares(cell) or COMPARES.search(f"{self.lead(block)} {self.group(block)}")):
            return None  # a share of a whole
        if one := self._one(block, cell, unit):
            return one
        if base := self._reproduced(block, cell, value, unit, lower_is_better):
            return base
        marked = [o for o in self._operands(block, cell) if BASE.search(o.cell.head)]
        if marked and self.compares(cell):
            return bare(marked[0].cell.head)
        label = self.group(block)
        if not self.compares(cell) and not SPEEDUPS.search(label):
            return None
        rows = [r for r in self._rows[block.table or 0][:40] if r is not block and self.group(r) == label]
        others = [(r, c, v) for r in rows for c in r.cells if c.column == cell.column and (v := _number(c)) is not None]
        told = Counter(base for r, c, v in others if (base := self._reproduced(r, c, v, unit, lower_is_better)))
        return told.most_common(1)[0][0] if told else None  # what the column's other figures rest on

    def _one(self, block: Block, cell: Cell, unit: str) -> str | None:
        """The row or column that a table of factors gives as one: what the others are measured in."""
        if unit != "x":
            return None
        if COMPARES.search(cell.head) or SPEEDUPS.search(self.group(block)):
            label = self.group(block)
            column = [(r, c) for r in self._rows[block.table or 0][:60] if self.group(r) == label for c in r.cells if c.column == cell.column]
            ones = [bare(self.lead(r)) for r, c in column if ONE.fullmatch(c.text)]
        else:
            ones = [bare(c.head) for c in block.cells[1:] if ONE.fullmatch(c.text)]
        return ones[0] if len(ones) == 1 and len(ones[0]) > 1 and any(ch.isalpha() for ch in ones[0]) else None

    def _reproduced(self, block: Block, cell: Cell, value: float, unit: str, lower_is_better: bool) -> str | None:
        """The column or block whose figures give this one."""
        across = self._operands(block, cell)
        if len(across) >= 2 and (base := _computed(across, value, unit, lower_is_better)):
            return bare(base.cell.head)
        label, place = self._group.get(block.start, ("", 0))
        if SPEEDUPS.search(label):
            others = [r for r in self._rows[block.table or 0] if self._group[r.start][1] == place and self._group[r.start][0] not in ("", label)]
            column = [Operand(v, c) for r in others for c in r.cells if c.column == cell.column and (v := _number(c)) is not None]
            if base := _computed(column, value, unit, lower_is_better):
                return next(self._group[r.start][0] for r in others if base.cell in r.cells)
        return None

    def praised(self, block: Block, cell: Cell) -> str | None:
        """The head of the column that a comparing column is about: the last measured one that is no baseline."""
        rest = [o.cell for o in self._operands(block, cell) if not BASE.search(o.cell.head)]
        return bare(rest[-1].head) if rest else None

    def measured(self, block: Block, cell: Cell) -> list[Cell]:
        """The cells of the row or, under a block of speedups, of the column that a comparing cell may come from."""
        return [o.cell for o in self._operands(block, cell)]

    def _operands(self, block: Block, cell: Cell) -> list[Operand]:
        found = []
        for other in block.cells[1:16]:
            if other is not cell and "%" not in other.text and not self.compares(other) and (value := _number(other)) is not None:
                found.append(Operand(value, other))
        return found


def bare(head: str) -> str:
    """A head without its unit and its marks."""
    return UNIT_PART.sub(" ", head).strip(" *_`\\:：") or head.strip(" *_`")


def _told_apart(leads: list[str]) -> dict[str, str]:
    """The heads of a table's rows that would be one without their brackets, as they are written."""
    alike: dict[str, set[str]] = {}
    for lead in leads:
        alike.setdefault(bare(lead), set()).add(lead.strip(" *_`\\:："))
    return {lead: lead.strip(" *_`\\:：") for lead in leads if len(alike[bare(lead)]) > 1}


def _number(cell: Cell) -> float | None:
    found = VALUE.match(cell.text)
    return float(found[1].replace(",", "")) if found else None


def _unit_in(head: str) -> str | None:
    pattern, table = units()
    for mark in BRACKET.finditer(head):
        written = next(g for g in mark.groups() if g).strip()
        if found := pattern.match(written):
            return table[found[1]]
    return None


def _computed(operands: list[Operand], value: float, unit: str, lower_is_better: bool) -> Operand | None:
    """The operand that the arithmetic points to as the base: `3.0x` of 12 and 4, `-7.3%` of 2368.8 and 2195.8."""
    share = abs(value) / 100
    for base in operands[:6]:
        for other in operands[:6]:
            if base is other or not base.value or not other.value:
                continue
            if unit == "x":
                quotient = base.value / other.value if lower_is_better else other.value / base.value
                if abs(quotient - abs(value)) <= 0.04 * abs(value) + 0.006:
                    return base
            elif abs(abs(other.value - base.value) / base.value - share) <= 0.006:
                return base
    return None
