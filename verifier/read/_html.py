"""HTML inside Markdown -> text runs and table rows, each at its exact place; tags, attributes, comments, styles are no text.

Tags are found by one pattern that stops at the next `<`, so that broken or hostile markup costs linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from verifier.models import BlockKind
from verifier.read._tables import Drawn, Raw

TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?P<attributes>[^<>]*)>|<!--|-->")
INLINE = frozenset(
    ("a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strong", "sub", "sup", "tt", "u")
)
HIDDEN = frozenset(("script", "style", "svg", "template"))
SPAN = re.compile(r"""\b(col|row)span\s*=\s*["'{]*(\d{1,2})\b""", re.I)
KINDS: dict[str, BlockKind] = {"li": "bullet", "pre": "code", **{f"h{n}": "heading" for n in range(1, 7)}}


class Run(NamedTuple):
    """A stretch of text between tags that break lines; `tag` is the last of those that opened."""

    start: int
    end: int
    tag: str

    @property
    def kind(self) -> BlockKind:
        return KINDS.get(self.tag, "html")


@dataclass(slots=True)
class _Box:
    """A cell as marked up."""

    start: int
    end: int
    columns: int
    rows: int
    head: bool


def read(text: str, start: int, end: int) -> list[Run | Drawn]:
    """The runs and tables of text[start:end] in order of place."""
    return _Reader(text).read(start, end)


class _Reader:
    def __init__(self, text: str):
        self._text = text
        self._out: list[Run | Drawn] = []
        self._tag = self._hidden = ""
        self._first = self._last = -1  # the run that is open
        self._table: list[list[_Box]] | None = None
        self._box: _Box | None = None

    def read(self, start: int, end: int) -> list[Run | Drawn]:
        place = start
        for tag in TAG.finditer(self._text, start, end):
            self._words(place, tag.start())
            self._mark(tag, (tag["name"] or "").lower())
            place = tag.end()
        self._words(place, end)
        self._break()
        self._drawn()
        return self._out

    def _words(self, start: int, end: int) -> None:
        written = self._text[start:end]
        if self._hidden or not written.strip():
            return
        if self._first < 0:
            self._first = start + len(written) - len(written.lstrip())
        self._last = start + len(written.rstrip())

    def _mark(self, tag: re.Match[str], name: str) -> None:
        if not name or name in HIDDEN:
            if self._hidden in ("", name or "-->"):
                opens = tag[0] == "<!--" or name and not tag["close"]
                self._hidden = (name or "-->") if opens else ""
        elif self._hidden or name in INLINE or name == "br" and self._box:
            return
        else:
            self._break()
            if name in ("table", "tr", "td", "th"):
                self._cell(name, tag)
            elif not tag["close"]:
                self._tag = name
            elif name == self._tag:
                self._tag = ""

    def _cell(self, name: str, tag: re.Match[str]) -> None:
        """A tag of a table: what opens ends what is open."""
        if name == "table":
            self._drawn()
            self._table = None if tag["close"] else []
        elif self._table is not None:
            self._box = None
            if tag["close"]:
                return
            if name == "tr" or not self._table:
                self._table.append([])
            if name != "tr":
                spans = {m[1].lower(): int(m[2]) for m in SPAN.finditer(tag["attributes"])}
                self._box = _Box(tag.end(), tag.end(), spans.get("col") or 1, spans.get("row") or 1, name == "th")
                self._table[-1].append(self._box)

    def _break(self) -> None:
        """End the open run: the text of a cell inside a table, else on its own."""
        first, last, self._first = self._first, self._last, -1
        if first < 0:
            return
        if self._box:
            self._box.start = first if self._box.start == self._box.end else self._box.start
            self._box.end = last
        else:
            self._out.append(Run(first, last, self._tag))

    def _drawn(self) -> None:
        """End the open table. A box over several columns leaves blank cells, or repeats as a head; one over several rows leaves blank cells below."""
        drawn: Drawn = []
        taken: dict[int, int] = {}  # column: rows below that a box still fills
        for boxes in filter(None, self._table or []):
            row: list[Raw] = []
            below: dict[int, int] = {}
            for box in boxes:
                self._fill(row, taken, below, box.start, box.head)
                for extra in range(box.columns):
                    below[len(row)] = box.rows - 1
                    end = box.end if box.head or not extra else box.start
                    row.append(Raw(box.start, end, self._text[box.start : end], len(row), box.head))
            self._fill(row, taken, below, boxes[-1].end, boxes[-1].head)
            taken = below
            drawn.append((boxes[0].start, boxes[-1].end, row))
        if any(c.text for _, _, row in drawn for c in row):
            self._out.append(drawn)
        self._table = self._box = None

    def _fill(self, row: list[Raw], taken: dict[int, int], below: dict[int, int], at: int, head: bool) -> None:
        while left := taken.get(len(row), 0):
            below[len(row)] = left - 1
            row.append(Raw(at, at, "", len(row), head))
