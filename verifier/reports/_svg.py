"""SVG as text: small pictures whose colours are classes of the page, so that both themes and print fit."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

WIDTH = 360  # of a phone, so that words keep their size there


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element; `class_` is class, `stroke_width` stroke-width. What is inside is escaped unless it is markup."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for key, value in attributes.items() if value is not None)
    return Markup("<{0}{1}>{2}</{0}>").format(name, Markup(told), Markup("").join(escape(x) for x in inside))


def _short(value: object) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    return tag("text", words, x=float(x), y=float(y), class_=class_ or None, text_anchor=None if anchor == "start" else anchor)


def rect(x: float, y: float, width: float, height: float, class_: str, rx: float | None = None) -> Markup:
    return tag("rect", x=float(x), y=float(y), width=float(width), height=float(height), class_=class_, rx=rx)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return tag("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


def svg(ident: str, title: str, about: str, width: float, height: float, inside: Iterable[str]) -> Markup:
    """A picture that a screen reader announces by its title and what it shows."""
    told = tag("title", title, id=f"{ident}-t") + tag("desc", about, id=f"{ident}-d")
    return tag("svg", told, *inside, viewBox=f"0 0 {width:g} {height:g}", width=f"{width:g}", height=f"{height:g}", role="img",
               aria_labelledby=f"{ident}-t {ident}-d")  # fmt: skip


def width_of(words: str) -> float:
    """About how wide words are at 12 px: a Chinese character takes a whole em."""
    return sum(12.5 if ord(c) > 0x2E80 else 6.8 for c in words)


def fitted(words: str, width: float) -> str:
    """As much of the words as fits."""
    while words and width_of(words) > width:
        words = words[:-2] + "…" if len(words) > 2 else ""
    return words


def ticks(most: float) -> list[int]:
    """Zero and two or three round numbers up to or beyond the most."""
    step = 1
    for factor in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000):
        step = factor
        if most / factor <= 4:
            break
    return list(range(0, int(-(-max(most, 1) // step)) * step + 1, step))
