"""Markdown -> parts, by the block rules of markdown-it; inline text is never parsed.

Two rules are ours: tables keep rows that lack bars or have too many cells, and prose asks the other rules only at
lines that can begin something else. What no rule covers is a paragraph, so that no line is lost.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from verifier.read._lines import Kind, Lines, Part

DELIMITER = re.compile(r"\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
YAML = re.compile(r"\s|#|-\s|[\w.-]+\s*:(?:\s|$)|$")
MARKS = re.compile(r"(?:[\s>]|[*+-](?=\s|$)|\d{1,9}[.)](?=\s|$))*$")  # a quote or list mark with nothing behind it
BEGINS = frozenset("`~>*+-_#<0123456789")  # what a line must begin with to end the prose above it
ENDS = frozenset("。.；;，,！!？?")
OPENS, CLOSES = re.compile(r"<table\b", re.I), re.compile(r"</table\b", re.I)
TITLE = 120  # a longer line above `---` is prose above a rule, not a title
KINDS: dict[str, Kind | None] = {
    "heading_open": "heading", "prose": "paragraph", "table": "table", "fence": "code", "code_block": "code", "html_block": "html", "hr": None,
}  # fmt: skip


def parts(lines: Lines) -> list[Part]:
    """The parts of a Markdown text in order."""
    text, covered = lines.text, _front(lines)
    found = [Part("front_matter", 0, covered - 1, 0)] if covered else []
    skipped, begin = covered, lines.starts[covered]
    parser, tokens = _parser(), list[Token]()
    parser.block.parse(text[begin:], parser, {}, tokens)
    closes = [m.start() for m in CLOSES.finditer(text)]
    item = -1
    for token in tokens:
        if token.type == "list_item_open" and token.map:
            item = token.map[0] + skipped
        if token.type not in KINDS or not token.map or (first := token.map[0] + skipped) < covered:
            continue  # the last: inside what an HTML table took in
        last = token.map[1] + skipped - 1
        while last > first and not lines[last].strip():
            last -= 1
        found.extend(_plain(lines, covered, first))
        kind = KINDS[token.type]
        start = token.meta["start"] + begin if token.meta else lines.starts[first]
        if kind == "html":
            last = max(last, _table_end(lines, first, last, closes))
        covered = last + 1
        if kind == "paragraph" and item == first:
            kind = "bullet"
        if kind is not None:
            found.append(Part(kind, first, last, start, int(token.tag[1]) if kind == "heading" else 0))
        item = -1
    found.extend(_plain(lines, covered, lines.count))
    return found


def _front(lines: Lines) -> int:
    """How many lines the front matter takes: from a first `---` to the next one, with nothing but YAML between."""
    if lines[0].rstrip() != "---":
        return 0
    for line in range(1, lines.count):
        written = lines[line]
        if written.rstrip() in ("---", "..."):
            return line + 1
        if not YAML.match(written):
            return 0
    return 0


def _plain(lines: Lines, first: int, end: int) -> Iterator[Part]:
    """Lines that no rule covered, each a paragraph: what is nested too deep."""
    for line in range(first, end):
        if not MARKS.match(lines[line]):
            yield Part("paragraph", line, line, lines.starts[line])


def _table_end(lines: Lines, first: int, last: int, closes: list[int]) -> int:
    """The line on which the HTML table that opens last in these lines closes, blank lines or not; -1 when none is open."""
    opened = -1
    for found in OPENS.finditer(lines.text, lines.starts[first], lines.end(last)):
        opened = found.start()
    at = bisect_left(closes, opened)
    return lines.at(closes[at]) if opened >= 0 and at < len(closes) else -1


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").disable("reference")
    parser.block.ruler.before("code", "bars", _table, {"alt": ["paragraph"]})
    parser.block.ruler.at("paragraph", _prose)
    parser.block.ruler.disable("lheading")
    return parser


def _token(state: StateBlock, kind: str, first: int, end: int, tag: str = "") -> None:
    token = state.push(kind, tag, 0)
    token.map = [first, end]
    token.meta = {"start": state.bMarks[first]}
    state.line = end


def _begins(state: StateBlock, line: int, end: int, chain: str) -> bool:
    """Whether a line begins something of its own."""
    if state.sCount[line] - state.blkIndent > 3 or state.sCount[line] < 0:
        return False  # a lazy continuation
    first = state.src[state.bMarks[line] + state.tShift[line]]
    if first in BEGINS:
        return any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules(chain))
    return chain != "blockquote" and _table(state, line, end, True)


def _prose(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph, or one short line underlined with = or - as a heading."""
    before, state.parentType = state.parentType, "paragraph"
    line = start + 1
    while line < end and not state.isEmpty(line):
        if state.src[state.bMarks[line] + state.tShift[line]] in "=-" and _underlined(state, start, line):
            _token(state, "heading_open", start, line + 1, "h1" if "=" in state.src[state.bMarks[line] : state.eMarks[line]] else "h2")
            state.tokens[-1].markup = "="
            state.parentType = before
            return True
        if _begins(state, line, end, "paragraph"):
            break
        line += 1
    _token(state, "prose", start, line)
    state.parentType = before
    return True


def _underlined(state: StateBlock, start: int, line: int) -> bool:
    """Whether a line underlines a title right above it; what reads like a sentence stands above a rule."""
    if line != start + 1 or state.sCount[line] < state.blkIndent or state.sCount[line] - state.blkIndent > 3:
        return False
    title = state.src[state.bMarks[start] : state.eMarks[start]].rstrip()
    marked = UNDERLINE.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
    return marked is not None and len(title) <= TITLE and title[-1:] not in ENDS


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A head row, a row of dashes, and rows until one has no bar."""
    under = start + 1
    if under >= end or state.sCount[under] < state.blkIndent or state.is_code_block(start) or state.is_code_block(under):
        return False
    at = state.bMarks[under] + state.tShift[under]
    if at >= state.eMarks[under] or state.src[at] not in "|:-":
        return False
    marks = state.src[at : state.eMarks[under]].strip()
    if "|" not in marks or "|" not in state.src[state.bMarks[start] : state.eMarks[start]] or not DELIMITER.fullmatch(marks):
        return False
    if silent:
        return True
    line = under + 1
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if "|" not in state.src[state.bMarks[line] : state.eMarks[line]] or _begins(state, line, end, "blockquote"):
            break
        line += 1
    _token(state, "table", start, line)
    return True
