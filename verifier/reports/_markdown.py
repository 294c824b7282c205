"""A report as Markdown. What comes from documents is text: no cell ends, no markup, no mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from verifier.reports._blocks import Block, Card, Cards, Cell, Level, Link, Page, Paste, Picture, Table, Text

SAFE = str.maketrans({mark: f"\\{mark}" for mark in "\\|`*_[]~#"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b"})


def render(page: Page) -> str:
    lines = [f"# {_text(page.title)}", "", _text(page.days), "", *(f"{_prose(line)}  " for line in page.lede[:-1]), _prose(page.lede[-1]), ""]
    lines += _rows(("", *page.heads), [(t.label, t.now, t.before, t.change) for t in page.tiles])
    for section in page.sections:
        lines += ["", f"## {section.title}"]
        for block in section.blocks:
            lines += ["", *_block(block)]
    return "\n".join([*lines, "", "---", "", _prose(page.foot)]) + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        yield _prose(block.text)
    elif isinstance(block, Picture):
        yield from _block(block.table)
    elif isinstance(block, Table):
        yield from (f"**{block.caption}**", "", *_rows(block.heads, block.rows))
        yield from ("", _prose(block.more)) if block.more else ()
    elif isinstance(block, Cards):
        for at, card in enumerate(block.cards):
            yield from ("", *_card(card)) if at else _card(card)
        yield from ("", _prose(block.more)) if block.more else ()
    elif isinstance(block, Paste):
        fence = "`" * max(3, 1 + max((len(run) for run in _ticks(block.text)), default=0))
        yield from (f"**{block.caption}**", "", f"{fence}text", block.text, fence)


def _card(card: Card) -> Iterator[str]:
    yield f"### {_cell(card.number)} {card.mark} {_text(card.title)}"
    yield ""
    yield f"{card.level.word} · {' · '.join(map(_text, card.facts))}"
    yield ""
    for quoted in card.quotes:
        marked = f"**{_text(quoted.marked)}**" if quoted.marked else ""
        yield f"- {_cell(quoted.place)} {_text(quoted.left)}{marked}{_text(quoted.right)}"
    yield from (f"- {label}: {_text(said)}" for label, said in card.notes)
    if card.picture:
        yield from ("", *_rows(card.picture.table.heads, card.picture.table.rows))


def _rows(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    right = [bool(rows) and all(isinstance(row[at], int) for row in rows) for at in range(len(heads))]
    rule = "|".join("---:" if r else "---" for r in right)
    return [f"| {' | '.join(heads)} |", f"|{rule}|", *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]


def _cell(cell: Cell) -> str:
    if isinstance(cell, Link):
        return f"[{_text(cell.text)}]({quote(cell.href, safe='/#%~:._-')})"
    return str(cell) if isinstance(cell, int) else _text(cell.word if isinstance(cell, Level) else cell)


def _text(text: str) -> str:
    return " ".join(text.split()).translate(SAFE)


def _prose(text: str) -> str:
    """Our own words may hold `commands`; what stands between is text."""
    parts = text.split("`")
    return "".join(f"`{part}`" if at % 2 and at < len(parts) - 1 else _text_kept(part) for at, part in enumerate(parts))


def _text_kept(text: str) -> str:
    return text.translate(SAFE)


def _ticks(text: str) -> list[str]:
    import re

    return re.findall(r"`+", text)
