"""What a report is made of, before it is Markdown or HTML."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    text: str
    href: str


class Level(NamedTuple):
    """A level as a word, with its name for colour."""

    word: str
    name: str


Cell = str | int | Link | Level


class Text(NamedTuple):
    text: str


class Table(NamedTuple):
    """`more`: what was left out, and the command that shows it. `folded`: only for who asks."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: str = ""
    folded: bool = False


class Picture(NamedTuple):
    """An SVG, and the same as a table for who cannot see it."""

    svg: str
    table: Table
    wide: bool = False


class Quote(NamedTuple):
    """What a document says, and where; `marked` is what is meant."""

    place: Link
    left: str
    marked: str
    right: str


class Card(NamedTuple):
    """A record in full."""

    number: Link
    level: Level
    mark: str
    title: str
    facts: tuple[str, ...]
    quotes: tuple[Quote, ...]
    notes: tuple[tuple[str, str], ...]
    picture: Picture | None = None


class Cards(NamedTuple):
    cards: tuple[Card, ...]
    more: str = ""


class Paste(NamedTuple):
    caption: str
    text: str


class Tile(NamedTuple):
    label: str
    now: int
    before: int
    change: str
    tone: str


Block = Text | Table | Picture | Cards | Paste


class Section(NamedTuple):
    anchor: str
    title: str
    blocks: tuple[Block, ...]


class Page(NamedTuple):
    lang: str
    title: str
    name: str
    days: str
    lede: tuple[str, ...]
    tiles: tuple[Tile, ...]
    heads: tuple[str, str, str]
    sections: tuple[Section, ...]
    foot: str
