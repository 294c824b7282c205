"""A report as one HTML file that needs nothing else: no scripts, no fonts or pictures from elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from verifier.reports import _blocks


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["prose"] = prose
    made.filters["kind"] = lambda block: type(block).__name__
    made.tests["table"] = lambda block: isinstance(block, _blocks.Table)
    made.tests["int"] = lambda cell: isinstance(cell, int)
    made.tests["link"] = lambda cell: isinstance(cell, _blocks.Link)
    made.tests["level"] = lambda cell: isinstance(cell, _blocks.Level)
    return made


def prose(text: str) -> Markup:
    """Our own words, in which a `command` may stand; everything is escaped."""
    parts = str(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 and at < len(parts) - 1 else escape(part) for at, part in enumerate(parts)
    )


def render(template: str, **told: Any) -> str:
    text = _environment().get_template(template).render(**told)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"
