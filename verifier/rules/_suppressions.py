"""`<!-- verify: ignore=RULE until=DATE by=NAME reason="…" -->`: what a document asks to be silent about, and for how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

COMMENT = re.compile(r"<!--\s*verify:\s*ignore=(?P<rule>[\w-]+)(?P<rest>.*?)-->", re.S)
FIELD = re.compile(r'(\w+)=("[^"]*"|\S+)')
NEEDED = ("until", "by", "reason")


class Suppression(NamedTuple):
    """One comment at start..end; `missing`: what it does not say, `until` among it where it is no date."""

    start: int
    end: int
    rule: str
    until: date | None
    by: str
    reason: str
    missing: tuple[str, ...]

    def holds(self, day: date) -> bool:
        return not self.missing and self.until is not None and self.until >= day

    @property
    def told(self) -> str:
        return f"{self.reason} ({self.by}, until {self.until})"


def suppressions(text: str) -> Iterator[Suppression]:
    for found in COMMENT.finditer(text):
        said = {name: value.strip('"').strip() for name, value in FIELD.findall(found["rest"])}
        try:
            until = date.fromisoformat(said.get("until", ""))
        except ValueError:
            until = None
        missing = tuple(name for name in NEEDED if not (until if name == "until" else said.get(name)))
        yield Suppression(found.start(), found.end(), found["rule"], until, said.get("by", ""), said.get("reason", ""), missing)
