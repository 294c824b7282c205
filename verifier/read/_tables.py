"""Table rows -> cells with exact places: heads of one or several rows, units among them, groups, values carried down."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.models import Cell
from verifier.read._lines import Lines

BAR = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"[\s:|>-]*-[\s:|-]*$")  # the row of dashes below the heads
MARKS = "*_`~ \t"
DITTO = frozenset(("", "-", "–", "—", "〃", "″", '"', "''", "同上", "ditto"))
FIGURE = re.compile(r"[~≈<>≤≥+$¥−-]?\s*\d")
PLAIN = re.compile(r"[\d.,\s]+")
UNIT = re.compile(
    r"[(（\[][^)）\]\d]{1,20}[)）\]]|%|[µun]?s|ms|x|×|倍|毫?秒|[KMGT]i?B(?:/s)?|\w*FLOPS|(?:\w+ )?tok(?:en)?s?/s(?:/\w+)?|req(?:uest)?s?/s|[RQT]PS",
    re.I,
)


class Row(NamedTuple):
    """One row's extent in the text and its cells; `head` for the rows that name the columns."""

    start: int
    end: int
    cells: tuple[Cell, ...]
    head: bool
    group: str


class Raw(NamedTuple):
    """A cell as it stands: where, and which column it begins; `head` where the markup says so."""

    start: int
    end: int
    text: str
    column: int
    head: bool = False


Drawn = list[tuple[int, int, list[Raw]]]  # start, end and cells of each row of a table


def pipes(lines: Lines, first: int, last: int) -> Drawn:
    """The rows of a table drawn with bars; the row of dashes is left out."""
    found: Drawn = []
    for line in range(first, last + 1):
        written = lines[line]
        if not written.strip() or RULE.match(written) and "|" in written:
            continue
        found.append((lines.starts[line], lines.end(line), _split(written, lines.starts[line])))
    return found


def _split(line: str, at: int) -> list[Raw]:
    """Cells between bars; a bar behind a backslash is text, quote marks before the first bar are not."""
    place = len(line) - len(line.lstrip(" \t>"))
    place += line.startswith("|", place)
    end = len(line.rstrip())
    if line.endswith("|", place, end) and not line.endswith("\\|", place, end):
        end -= 1
    cells: list[Raw] = []
    for bar in (*(m.start() for m in BAR.finditer(line, place, end)), end):
        written = line[place:bar]
        text = written.strip()
        start = at + place + len(written) - len(written.lstrip()) if text else at + place
        cells.append(Raw(start, start + len(text), text, len(cells)))
        place = bar + 1
    return cells


def rows(drawn: Drawn) -> list[Row]:
    """Rows with the heads of their columns, the group they stand in, and what blank or ditto cells carry down."""
    if not drawn:
        return []
    heads, depth = _heads([cells for _, _, cells in drawn])
    width = max(heads, default=0) + 1
    found: list[Row] = []
    above: dict[int, str] = {}
    group = ""
    for number, (start, end, raw) in enumerate(drawn):
        if number < depth:
            found.append(Row(start, end, tuple(Cell(c.start, c.end, c.text, "", c.column) for c in raw), True, ""))
            continue
        written = [c for c in raw if c.text]
        if len(written) == 1 and written[0].column == 0 and max(width, len(raw)) > 1 and not PLAIN.fullmatch(written[0].text.strip(MARKS)):
            group, above = written[0].text.strip(MARKS), {}
        cells = []
        for c in raw:
            ditto = c.text.strip(MARKS) in DITTO
            cells.append(Cell(c.start, c.end, c.text, heads.get(c.column, ""), c.column, above.get(c.column, "") if ditto else ""))
            if not ditto:
                above[c.column] = c.text
        found.append(Row(start, end, tuple(cells), False, group))
    return found


def _heads(drawn: list[list[Raw]]) -> tuple[dict[int, str], int]:
    """({column: its head, from the top down}, how many rows are heads)."""
    marked = 0
    while marked < len(drawn) - 1 and drawn[marked] and all(c.head for c in drawn[marked]):
        marked += 1
    depth = max(1, marked)
    if depth == 1 and len(drawn) > 2 and _continues(drawn[0], drawn[1]) and any(FIGURE.match(c.text.strip(MARKS)) for c in drawn[2]):
        depth = 2
    heads: dict[int, str] = {}
    last = max((c.column for row in drawn[:depth] for c in row), default=0)
    for number, row in enumerate(drawn[:depth]):
        named = {c.column: "" if depth > 1 and c.text in DITTO else c.text for c in row}
        over = ""
        for column in range(last + 1):
            own = named.get(column, "")
            if own or number == depth - 1 or column == 0:
                over = own
            if over and not heads.get(column, "").endswith(over):
                heads[column] = f"{heads.get(column, '')} {over}".strip()
    return heads, depth


def _continues(first: list[Raw], second: list[Raw]) -> bool:
    """Whether a second row goes on naming the columns: units only, or names below heads that span several columns."""
    said = [c.text.strip(MARKS) for c in second]
    if any(said) and all(not s or UNIT.fullmatch(s) for s in said):
        return True
    blank = {c.column for c in first if c.column and c.text.strip(MARKS) in DITTO}
    if not blank or any(FIGURE.match(s) for s in said):
        return False
    below = {c.column for c in second if c.text.strip(MARKS)}
    return blank <= below and len(below) > 1
