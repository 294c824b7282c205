"""Everything that a briefing holds as data, each part with its place: its fields, warnings, D table, lists and stated counts.

More than the rules need of every document, so it is made only when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from verifier.models import Block, Document, Model, Severity, Structure
from verifier.read._structure import ARXIV, FIELD, URL, WORDS
from verifier.read.lists import COUNTED, cut, number_of, stated_lists

PRIORITY = re.compile(r"(?:⚠️?\s*)?\b(P[0-3])\s*[：:]\s*")
WARNS = re.compile(r"\s*(?:[•*+-]\s+)?\**(?:⚠️?\s*)?(?:重大|生产决策|特别)?(?:警示|Warnings?)\**\s*[：:]|\s*(?:[•*+-]\s+)?(?:⚠️?\s*)?P[0-3]\s*[：:]")
NEXT = re.compile(r"\s-\s(?=⚠|P[0-3]\s*[：:])")
ASKED = re.compile(r"(?:^\s*-?\s*|\s?[-+;；]\s)(?=§)")
ROW = re.compile(
    r"\s*+\|?\s*+D(?P<n>\d+)\s*\|?\s*(?P<mark>[⚠⚬][⚠⚬ ]*)\|?\s*(?P<title>\S.*?)(?:\s*\|\s*|\s+)(?P<level>[低中高]|low|medium|high)\s*\|?\s*$"
)
SOURCE = re.compile(r"(?:^|[\s✅|])(?P<path>(?:[\w.-]{1,80}/){1,9}[\w.-]{1,160}(?:\s[\w.-]{1,160})?\.(?:md|txt|pdf|html))(?![\w/])")
SECTIONS = re.compile(r"§\s?[\dIVX.]*(?:\s?\(\w+\))*")
LEAD = re.compile(r"[^：:\n]{0,80}?(?=[（(：:]|$)")
LEVELS: dict[str, Severity] = {**WORDS, "low": "low", "medium": "medium", "high": "high"}
LEAST = {"arxiv": 2, "url": 2, "source": 3}  # so many make a list


class Part(Model):
    """A piece of text and where it stands; line and column count from 1."""

    text: str
    line: int
    column: int


class Asked(Part):
    """Where an increment asks to go; `sections` are the § numbers that it names."""

    increment: str
    sections: tuple[str, ...] = ()


class Warned(Part):
    """A warning; `increment` is the number of the one that it stands in."""

    priority: str | None = None
    increment: str | None = None


class Row(Part):
    """A row of the D table."""

    number: int
    mark: str
    severity: Severity


class Listed(Model):
    """A list of papers, links or files under a title, first to last line; `items` in order, those written twice too."""

    kind: Literal["arxiv", "url", "source"]
    title: str
    line: int
    end_line: int
    items: tuple[Part, ...]


class Counted(Part):
    """A stated count and the list that it speaks of; `vague` where it says about or more than."""

    number: int
    vague: bool
    items: tuple[str, ...]


class Outline(Structure):
    """The structure of a briefing with all of its lists."""

    asked: tuple[Asked, ...] = ()
    warned: tuple[Warned, ...] = ()
    table: tuple[Row, ...] = ()
    lists: tuple[Listed, ...] = ()
    counts: tuple[Counted, ...] = ()


def outline(document: Document) -> Outline:
    """The structure that the document was read with, and what takes another pass to find."""
    lines = document.text.split("\n")
    known = {name: getattr(document.structure, name) for name in Structure.model_fields}
    return Outline.model_validate(
        {
            **known,
            "asked": tuple(_asked(document, lines)),
            "warned": tuple(_warned(document, lines)),
            "table": tuple(_table(lines)),
            "lists": tuple(_lists(document)),
            "counts": tuple(_counts(document)),
        }
    )


def _asked(document: Document, lines: list[str]) -> Iterator[Asked]:
    """`建议归入章节：- §1.(1) … - §1.(2) …`: one for each."""
    for increment in document.structure.increments:
        line = increment.lines.get("anchor_to", 0)
        written = increment.anchor_to or ""
        place = max(0, lines[line - 1].find(written[:40])) if line else 0
        for piece in cut(written, ASKED):
            if said := piece.strip(" -+"):
                sections = tuple(m[0].rstrip(".") for m in SECTIONS.finditer(said.split("（")[0]))
                column = place + written.find(said) + 1
                yield Asked(text=said, line=line, column=column, increment=increment.number, sections=sections)


def _warned(document: Document, lines: list[str]) -> Iterator[Warned]:
    """Every warning, those of one line apart, with its priority where it has one."""
    increments = document.structure.increments
    for number, line in enumerate(lines, 1):
        lead = WARNS.match(line[:200])
        if lead is None:
            continue
        holder = next((i.number for i in reversed(increments) if i.line <= number), None)
        place = 0
        for piece in (*NEXT.finditer(line), None):
            end = piece.start() if piece else len(line)
            marked = PRIORITY.search(line, place, end)
            start = marked.end() if marked else max(place, lead.end()) if place < lead.end() else place
            said = line[start:end].strip(" -⚠️*")
            if said:
                column = line.find(said, start) + 1
                yield Warned(text=said, line=number, column=column, priority=marked[1] if marked else None, increment=holder)
            place = piece.end() if piece else end


def _table(lines: list[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if "D" in line and (found := ROW.match(line[:4000])):
            yield Row(text=found["title"].strip(" |"), line=number, column=found.start("title") + 1, number=int(found["n"]), mark=found["mark"].strip(),
                      severity=LEVELS[found["level"]])  # fmt: skip


def _lists(document: Document) -> Iterator[Listed]:
    """Papers, links and files that stand in a list: in one block behind a label, or in blocks one below the other."""
    for kind, pattern in (("arxiv", ARXIV), ("url", URL), ("source", SOURCE)):
        run: list[tuple[Block, list[Part]]] = []
        for block in document.blocks:
            parts = [] if block.kind == "heading" else [_part(document, block, m) for m in pattern.finditer(block.text)]
            leads = bool(parts) and (kind == "source" or _first(block, parts))
            if run and (not leads or run[-1][0].section != block.section or run[-1][0].kind != block.kind):
                yield from _closed(kind, run)
                run = []
            if leads:
                run.append((block, parts))
            elif len(parts) >= LEAST[kind] and re.search(r"[：:]", block.text[:120]) and not FIELD.match(block.text):
                yield from _closed(kind, [(block, parts)])
        yield from _closed(kind, run)


def _first(block: Block, parts: list[Part]) -> bool:
    """Whether an item is what its block begins with."""
    return parts[0].column - 1 <= 16 and parts[0].line == block.line


def _part(document: Document, block: Block, found: re.Match[str]) -> Part:
    group = "path" if "path" in found.re.groupindex else 0
    line, column = document.place(block.start + found.start(group))
    return Part(text=found[group], line=line, column=column)


def _closed(kind: str, run: list[tuple[Block, list[Part]]]) -> Iterator[Listed]:
    items = tuple(part for _, parts in run for part in (parts if kind == "source" or len(run) == 1 else parts[:1]))
    if len(items) >= LEAST[kind]:
        block = run[0][0]
        lead = LEAD.match(block.text)
        title = lead[0].strip(" •*-") if len(run) == 1 and lead and lead[0] else ""
        yield Listed.model_validate({"kind": kind, "title": title or (block.section[-1] if block.section else ""), "line": block.line,
                                     "end_line": run[-1][0].end_line, "items": items})  # fmt: skip


def _counts(document: Document) -> Iterator[Counted]:
    """Counts with a list in the same block, or with bullets below: `5 份简报：`."""
    for place, block in enumerate(document.blocks):
        if block.kind in ("code", "row"):
            continue
        below = _bullets(document, place) if block.text.rstrip(" *").endswith(("：", ":")) else ()
        counts = list(COUNTED.finditer(block.text)) if len(below) > 1 else []
        if len(counts) == 1:
            found = counts[0]
            line, column = document.place(block.start + found.start())
            yield Counted(
                text=found[0].strip(), line=line, column=column, number=number_of(found), vague=bool(found["about"] or found["more"]), items=below
            )
        for stated in stated_lists(block.text):
            line, column = document.place(block.start + stated.start)
            yield Counted(text=block.text[stated.start : stated.end].strip(), line=line, column=column, number=stated.number, vague=stated.vague,
                          items=stated.items)  # fmt: skip


def _bullets(document: Document, place: int) -> tuple[str, ...]:
    """The bullets right below a block, those of the first one's indentation."""
    found: list[str] = []
    indent = -1
    for block in document.blocks[place + 1 : place + 200]:
        own = len(block.text) - len(block.text.lstrip())
        if block.kind != "bullet" or 0 <= own < indent:
            break
        indent = own if indent < 0 else indent
        if own == indent:
            found.append(block.text.strip(" •*+-"))
    return tuple(found)
