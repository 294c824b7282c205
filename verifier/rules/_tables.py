"""Tables as numbers: each cell's figure with what its rounding allows, the group that a row belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.models import Block, Cell, Location
from verifier.normalize.rounding import interval
from verifier.rules._base import Context

FIGURE = re.compile(
    r"[~≈<>≤≥+]?\s*(?P<sign>[-−])?\$?(?P<n>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>%|x|×|倍|ms|µs|us|s|秒|GB/s|TB/s|GB|tok/s|req/s)?"
    r"(?P<more>\s*[A-Za-z]{2,8}){0,2}"
)  # fmt: skip
SHARE = re.compile(r"(?P<a>\d+)\s*/\s*(?P<b>\d+)")
CARRIED = ("", "-", "–", "—", "〃", '"')
UNITS = {"×": "x", "倍": "x", "秒": "s", "us": "µs"}


class Figure(NamedTuple):
    """A cell's number: `value` with the ends that its rounding allows; percent and factors as written."""

    low: float
    value: float
    high: float
    unit: str
    place: Location

    def holds(self, low: float, high: float) -> bool:
        """Whether some value between `low` and `high` prints as this figure."""
        return self.low <= high + 1e-9 and low - 1e-9 <= self.high


class Row(NamedTuple):
    """`label` is the text of its first cell, carried down where blank; `group` the block row above it."""

    label: str
    group: str
    texts: tuple[str, ...]
    figures: tuple[Figure | None, ...]


class Table(NamedTuple):
    heads: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, index: int) -> list[Figure | None]:
        return [row.figures[index] if index < len(row.figures) else None for row in self.rows]


def bare(text: str) -> str:
    """A cell's text without emphasis and code marks."""
    return text.strip("*_` ").strip()


def tables(context: Context) -> Iterator[Table]:
    """Every table with at least one row below its heads."""
    blocks: dict[int, list[Block]] = {}
    for block in context.document.blocks:
        if block.table is not None and block.cells:
            blocks.setdefault(block.table, []).append(block)
    for rows in blocks.values():
        heads = tuple(bare(cell.text) for cell in rows[0].cells)
        found: list[Row] = []
        group = label = ""
        for block in rows[1:]:
            texts = tuple(bare(cell.text) for cell in block.cells)
            if texts and texts[0] and not any(t not in CARRIED for t in texts[1:]):
                group = texts[0]
                continue
            label = texts[0] if texts and texts[0] not in CARRIED else label
            found.append(Row(label, group, texts, tuple(_figure(context, cell, block) for cell in block.cells)))
        if found:
            yield Table(heads, tuple(found))


def _figure(context: Context, cell: Cell, block: Block) -> Figure | None:
    text = bare(cell.text)
    place = context.at(cell.start, cell.end)
    if share := SHARE.fullmatch(text):
        value = float(share["a"])
        return Figure(value, value, value, "of", place)
    found = FIGURE.fullmatch(text)
    if not found:
        return None
    ends = interval(found["n"])
    value = float(found["n"].replace(",", ""))
    unit = found["unit"] or ""
    if found["sign"]:
        return Figure(-ends.high, -value, -ends.low, UNITS.get(unit, unit), place)
    return Figure(ends.low, value, ends.high, UNITS.get(unit, unit), place)


class Formula(NamedTuple):
    """How a figure follows from two others; `percent` ones give per cent."""

    name: str
    percent: bool

    def value(self, a: float, b: float) -> float:
        """`a` is the measured figure, `b` the one it is held against."""
        scale = 100.0 if self.percent else 1.0
        match self.name:
            case "a / b":
                return scale * a / b
            case "b / a":
                return scale * b / a
            case "(b − a) / b":
                return scale * (b - a) / b
            case "(a − b) / b":
                return scale * (a - b) / b
            case _:
                return scale * (b - a) / a

    def span(self, a: Figure, b: Figure) -> tuple[float, float]:
        """Least and greatest value under the rounding of both operands."""
        values = [self.value(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return min(values), max(values)

    def show(self, a: float, b: float) -> str:
        parts = self.name.replace("a", f"{a:g}").replace("b", f"{b:g}")
        return f"{parts} = {self.value(a, b):.4g}{' %' if self.percent else ''}"


FACTORS = (Formula("a / b", False), Formula("b / a", False))
PERCENTS = (Formula("a / b", True), Formula("b / a", True), Formula("(b − a) / b", True), Formula("(a − b) / b", True), Formula("(b − a) / a", True))


def formulas(unit: str) -> tuple[Formula, ...]:
    """What a figure of that unit may be: per cent, else a factor."""
    return PERCENTS if unit == "%" else FACTORS
