"""What the columns, rows and blocks of a table say about one another, learned from the cells that agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.rules._tables import Figure, Formula, Row, Table, formulas

RELATIVE = re.compile(r"speed-?up|ratio|relative|improvement|gain|reduction|\bv\.?s\.?\b|加速|提升|相比|相对|比值|倍数|降低|占比", re.I)
BASE = (1.0, 100.0)
NEAR = 0.06  # a row of factors is known for one when every cell lies this near; rounding then decides


class Derived(NamedTuple):
    """A cell that follows from two others: `holds` says whether its rounding allows it."""

    result: Figure
    a: Figure
    b: Figure
    formula: Formula
    holds: bool
    against: str

    @property
    def telling(self) -> bool:
        """Whether agreement means anything: rounded operands such as 6,000 and 1,000 agree with everything."""
        low, high = self.formula.span(self.a, self.b)
        return self.holds and high - low <= 0.1 * abs(self.result.value)


def _judge(result: Figure, a: Figure | None, b: Figure | None, formula: Formula, against: str) -> Derived | None:
    if a is None or b is None or min(a.low, b.low) <= 0:
        return None
    return Derived(result, a, b, formula, result.holds(*formula.span(a, b)), against)


def columns(table: Table) -> Iterator[Derived]:
    """A column of factors or shares between two others; most of its rows must agree before the rest is doubted."""
    width = len(table.heads)
    for index in range(1, width):
        results = table.column(index)
        known = [r for r in results if r]
        if len(known) < 3 or not (RELATIVE.search(table.heads[index]) or all(r.unit in ("x", "%") for r in known)):
            continue
        best: list[Derived] = []
        for one in range(1, width):
            for two in range(one + 1, width):
                if index in (one, two):
                    continue
                best = max(best, *_tried(table, results, one, two, known[0].unit), key=_agreeing)
        if _agreeing(best) >= max(2, 0.6 * len(known)):
            yield from best


def _tried(table: Table, results: list[Figure | None], one: int, two: int, unit: str) -> Iterator[list[Derived]]:
    first, second = table.column(one), table.column(two)
    if {f.unit for f in (*first, *second) if f} & {"x", "%"}:
        yield []
        return
    for formula in formulas(unit):
        made = (_judge(r, a, b, formula, table.heads[two]) for r, a, b in zip(results, first, second, strict=True) if r)
        yield [d for d in made if d]


def _agreeing(derived: list[Derived]) -> int:
    return sum(d.telling for d in derived)


def rows(table: Table) -> Iterator[Derived]:
    """A row of factors with one cell of 1: every other cell is its own figure over that column's."""
    for relative in table.rows:
        figures = [(i, f) for i, f in enumerate(relative.figures) if f and f.unit == "x"]
        base = [i for i, f in figures if f.value == 1.0]
        if len(base) != 1 or len(figures) < 3:
            continue
        for row in table.rows:
            if row is relative:
                continue
            for formula in formulas("x"):
                made = [_judge(f, _at(row, i), _at(row, base[0]), formula, table.heads[base[0]]) for i, f in figures if i != base[0]]
                known = [d for d in made if d]
                if len(known) == len(figures) - 1 and all(abs(d.formula.value(d.a.value, d.b.value) / d.result.value - 1) < NEAR for d in known):
                    yield from known
                    break


def baselines(table: Table) -> Iterator[tuple[Derived, Row, Row]]:
    """A column of factors with one 1.0 in each group: the others are against that row of another column."""
    for index, head in enumerate(table.heads):
        if not RELATIVE.search(head):
            continue
        groups: dict[str, list[Row]] = {}
        for row in table.rows:
            groups.setdefault(row.group + row.label, []).append(row)
        for column in range(1, len(table.heads)):
            found: list[tuple[Derived, Row, Row]] = []
            for members in groups.values():
                base = next((r for r in members if (f := _at(r, index)) and f.value in BASE), None)
                for row in members:
                    result = _at(row, index)
                    if base is None or row is base or result is None or column == index:
                        continue
                    if derived := _judge(result, _at(row, column), _at(base, column), formulas(result.unit)[0], base.label):
                        found.append((derived, row, base))
            if found and sum(d.telling for d, _, _ in found) >= max(2, 0.6 * len(found)):
                yield from found
                break


def blocks(table: Table) -> Iterator[Derived]:
    """A block of factors below two blocks of figures with the same rows: each cell is one over the other."""
    groups: dict[str, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(row.group, []).append(row)
    names = list(groups)
    for place, name in enumerate(names[2:], 2):
        cells = [(r, i, f) for r in groups[name] for i, f in enumerate(r.figures) if f and f.unit == "x"]
        if len(cells) < 2:
            continue
        above, below = groups[names[place - 2]], groups[names[place - 1]]
        known: list[Derived] = []
        for row, index, result in cells:
            a, b = _twin(above, row, cells), _twin(below, row, cells)
            options = [_judge(result, _at(a, index), _at(b, index), f, names[place - 1]) for f in formulas("x")] if a and b else []
            good = [d for d in options if d]
            if good:
                known.append(min(good, key=lambda d: (not d.holds, d.formula.value(d.a.value, d.b.value) < 1)))
        if _agreeing(known) >= max(1, 0.5 * len(known)):
            yield from known


def _at(row: Row | None, index: int) -> Figure | None:
    return row.figures[index] if row and index < len(row.figures) else None


def _twin(rows: list[Row], row: Row, cells: list[tuple[Row, int, Figure]]) -> Row | None:
    """The row of another block that has the same cells wherever this one has no factor."""
    factors = {i for r, i, _ in cells if r is row}
    for other in rows:
        if all(i in factors or i >= len(other.texts) or t == other.texts[i] for i, t in enumerate(row.texts)):
            return other
    return None
