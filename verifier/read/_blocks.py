"""Parts -> blocks with exact places, for Markdown and for the flattened text of briefings alike."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from verifier.models import Block, BlockKind
from verifier.read import _flat, _html
from verifier.read._lines import Lines, Part
from verifier.read._tables import Drawn, pipes, rows

TITLE = re.compile(r"^#{1,6}[ \t]+\S", re.M)
MARK = re.compile(r"^(?:```|~~~|[ \t>]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*\||---[ \t]*\n|<(?:table|details|div|p|img)\b|[-*+][ \t]+\S|>[ \t]*\S)", re.M)
DOT = re.compile(r"^[ \t]*•", re.M)
CAPTION = re.compile(r"\s*(?:<\w+[^<>]*>\s*)*[*_]{0,3}(?:Table|表)\s?\d", re.I)
TITLED = re.compile(r"\s*(?:\*\*[^*\n]+\*\*|__[^_\n]+__)[:：]?\s*$|[^。\n]{1,120}[:：]\**\s*$")
OWN = re.compile(r"\s*(?:[•▪◦‣✅❌⚠☑✓🟢🟡🔴]|[①-⑳]|!\[|<[A-Za-z]|\[\^?[^\]\n]{1,40}\]:|\||\d{1,2}[.)、]\s+\S)")  # begins a line of its own
LABEL = re.compile(r"\s*+\**+[^\s：:。，,][^：:。，,\n]{0,15}\**(?:：|:\s)")
QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+")
BROKEN = re.compile(r"(?: {2}|\\|<br\s*/?>|[：:]\**)\s*$")  # the line ends here on purpose
STRETCH = re.compile(r"(?:^[^\n]{20,300}\n)+^[^\n]{1,300}$", re.M)
WORD = re.compile(r"\s*(?:[!-~]+|\S)")
STOP = re.compile(r"(?:[。！？；\n]|[.!?;](?=\s))\s*")
WRITTEN = re.compile(r"[^\s，、]{1,200}\Z")
BLANK = re.compile(r"\s*")
TAIL, WIDEST = 16, 130
LONGEST = 4000  # characters of a block; a longer one is cut behind a sentence, so that the work on a block stays bounded
WIDE, CELLS = 16_000, 256  # characters and cells of a row; what has more is no table


def blocks(text: str) -> list[Block]:
    """Blocks in order of place."""
    return _Blocks(Lines(text)).read()


def marked_up(text: str) -> bool:
    """Whether a text is Markdown: it has titles, or more marks of Markdown than bullets that only flattened text has."""
    if TITLE.search(text):
        return True
    marks, dots = (sum(1 for _ in pattern.finditer(text)) for pattern in (MARK, DOT))
    return marks > dots or not dots and _wrapped(text)


def _wrapped(text: str) -> bool:
    """Whether lines break where the next word would not have fit: prose set to a width, as mail and plain-text files are."""
    breaks = wraps = 0
    for stretch in STRETCH.finditer(text):
        lines = stretch[0].splitlines()
        width = max(map(_width, lines))
        if width > WIDEST:
            continue
        for above, below in pairwise(lines):
            word = WORD.match(below)
            breaks += 1
            wraps += word is not None and _width(above) + _width(word[0]) >= width
    return breaks >= 3 and wraps >= 0.8 * breaks


def _width(text: str) -> int:
    """Columns that a text takes; a Chinese character takes two."""
    return len(text) if text.isascii() else sum(2 if c > "\u2e7f" else 1 for c in text)


class _Blocks:
    def __init__(self, lines: Lines):
        self._lines, self._text = lines, lines.text
        self._found: list[Block] = []
        self._above: list[tuple[int, str]] = []
        self._section: tuple[str, ...] = ()
        self._tables = 0
        self._rows = (0, 0)  # the last table's blocks

    def read(self) -> list[Block]:
        for part in self._parts():
            match part.kind:
                case "table":
                    self._table(pipes(self._lines, part.first, part.last))
                case "html":
                    self._markup(part)
                case "heading":
                    self._add("heading", part.start, self._lines.end(part.last), part.first, part.last, part.level)
                case "code" | "front_matter" as kind:
                    for line in range(part.first, part.last + 1):
                        if self._lines[line].strip():
                            self._add(kind, self._lines.starts[line], self._lines.end(line), line, line)
                case _:
                    self._prose(part)
        return self._found

    def _parts(self) -> list[Part]:
        if marked_up(self._text):
            from verifier.read import _markdown

            return _markdown.parts(self._lines)
        return list(_flat.parts(self._lines))

    def _add(self, kind: BlockKind, start: int, end: int, first: int, last: int, level: int = 0) -> None:
        """One block; of a longer stretch several, the first of which is what the whole is."""
        if end - start <= LONGEST:
            self._one(kind, start, end, first, last, level)
            return
        for a, b in _pieces(self._text, start, end):
            own = kind if a == start or kind not in ("heading", "bullet") else "paragraph"
            self._one(own, a, b, self._lines.at(a), self._lines.at(b - 1), level if own == kind else 0)

    def _one(self, kind: BlockKind, start: int, end: int, first: int, last: int, level: int) -> None:
        text = self._text[start:end]
        if kind == "heading":
            self._above = [s for s in self._above if s[0] < level] + [(level, text.strip("#> ").strip())]
            self._section = tuple(name for _, name in self._above)
        self._found.append(Block(kind, start, end, first + 1, last + 1, text, level, self._section))
        if kind in ("paragraph", "html") and CAPTION.match(text):
            self._captioned(text, first)

    def _prose(self, part: Part) -> None:
        """A paragraph or bullet as one block; lines that begin something of their own, or are quoted, each as one."""
        lines, text, first, kind = self._lines, self._text, part.first, part.kind
        quoted = ">" in text[lines.starts[first] : part.start]
        while first <= part.last:
            last, start = first, part.start if first == part.first else lines.starts[first]
            if quoted and first > part.first and (mark := QUOTE.match(text, start)):
                start = mark.end()
            if _flat.ROW.match(text, start, lines.end(first)):
                while last < part.last and _flat.ROW.match(lines[last + 1]):
                    last += 1
                self._table(pipes(lines, first, last))
            elif level := _flat.heading(text[start : lines.end(first)]) if first == part.last or not quoted and self._breaks(first) else 0:
                self._add("heading", start, lines.end(first), first, first, level)
            else:
                while last < part.last and not quoted and not self._breaks(last):
                    last += 1
                dotted = kind == "bullet" or _flat.BULLET.match(text, start, lines.end(first))
                self._add("bullet" if dotted else "paragraph", start, lines.end(last), first, last)
            first, kind = last + 1, "paragraph"

    def _breaks(self, line: int) -> bool:
        """Whether the line after this one begins something of its own."""
        lines, text = self._lines, self._text
        start, below, end = lines.starts[line], lines.starts[line + 1], lines.end(line)
        if OWN.match(text, below) or _flat.WORDED.match(text, below) or BROKEN.search(text, max(start, end - TAIL), end):
            return True
        return LABEL.match(text, below) is not None and LABEL.match(text, start) is not None

    def _markup(self, part: Part) -> None:
        """The text runs and tables of a stretch of HTML."""
        for found in _html.read(self._text, part.start, self._lines.end(part.last)):
            if isinstance(found, list):
                self._table(found)
                continue
            level = int(found.tag[1]) if found.kind == "heading" else 0
            self._add(found.kind, found.start, found.end, self._lines.at(found.start), self._lines.at(found.end - 1), level)

    def _table(self, drawn: Drawn) -> None:
        """The rows of a table, with the caption that stands right above it."""
        if any(end - start > WIDE or len(cells) > CELLS for start, end, cells in drawn):
            for start, end, _ in drawn:
                self._add("paragraph", start, end, self._lines.at(start), self._lines.at(max(start, end - 1)))
            return
        self._tables += 1
        first = self._lines.at(drawn[0][0]) if drawn else 0
        above = self._found[-1] if self._found else None
        caption = ""
        if above and above.kind in ("paragraph", "html") and above.end_line + 2 > first and (CAPTION.match(above.text) or TITLED.match(above.text)):
            caption = above.text.strip()
        begin = len(self._found)
        for row in rows(drawn):
            line, last = self._lines.at(row.start), self._lines.at(max(row.start, row.end - 1))
            self._found.append(
                Block("row", row.start, row.end, line + 1, last + 1, self._text[row.start : row.end], 0, self._section, row.cells, self._tables,
                      caption, row.group, row.head)
            )  # fmt: skip
        self._rows = (begin, len(self._found))

    def _captioned(self, caption: str, line: int) -> None:
        """A numbered caption right below a table that has none above is the table's."""
        begin, end = self._rows
        if begin < end == len(self._found) - 1 and line <= self._found[end - 1].end_line + 1 and not CAPTION.match(self._found[begin].caption):
            self._found[begin:end] = [b._replace(caption=caption.strip()) for b in self._found[begin:end]]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Stretches of bounded length: cut behind a sentence, else between words, else anywhere; blanks around them are left out."""
    while end - start > LONGEST:
        stop = start + LONGEST
        cut = next(iter(deque((m.end() for m in STOP.finditer(text, start + LONGEST // 2, stop)), maxlen=1)), None)
        if cut is None:
            word = WRITTEN.search(text, stop - 200, stop)
            cut = word.start() if word and word.start() > stop - 200 else stop
        yield start, start + len(text[start:cut].rstrip())
        blank = BLANK.match(text, cut, end)
        start = blank.end() if blank else cut
    if last := text[start:end].rstrip():
        yield start, start + len(last)
