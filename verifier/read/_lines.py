"""The lines of a text and what stretches of them are, before they become blocks."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, NamedTuple

Kind = Literal["heading", "paragraph", "bullet", "table", "code", "front_matter", "html"]


class Part(NamedTuple):
    """Lines `first`..`last` (from 0) that hang together; `start` is where the first one's own text begins."""

    kind: Kind
    first: int
    last: int
    start: int
    level: int = 0


class Lines:
    """Where each line of a text starts and ends."""

    def __init__(self, text: str):
        self.text = text
        self.starts = [0]
        find, at = text.find, -1
        while (at := find("\n", at + 1)) >= 0:
            self.starts.append(at + 1)
        self.count = len(self.starts)
        self.starts.append(len(text) + 1)

    def end(self, line: int) -> int:
        """Where a line ends, before its newline."""
        return self.starts[line + 1] - 1

    def at(self, place: int) -> int:
        """The line that holds a character."""
        return bisect_right(self.starts, place, 0, self.count) - 1

    def __getitem__(self, line: int) -> str:
        return self.text[self.starts[line] : self.starts[line + 1] - 1]
