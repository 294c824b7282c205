"""What a block's section is about: the metric that its heading, lead-in and caption give it."""

from __future__ import annotations

import re

from verifier.extract.metrics import Metrics
from verifier.models import Block

LEAD = re.compile(r"[:：]\s*\**\s*$")
BACK = 24  # blocks that are looked back over within a section


class Topics:
    """Looks above a block, nearest first; each answer is found once."""

    def __init__(self, blocks: tuple[Block, ...], metrics: Metrics):
        self._blocks, self._metrics = blocks, metrics
        self._index = {b.start: i for i, b in enumerate(blocks)}
        self._leads: dict[int, list[Block]] = {}

    def above(self, block: Block) -> list[Block]:
        """Parent bullet, lead-in or caption, headings: what a block stands under."""
        key = (block.table or 0) if block.kind == "row" else -block.start - 1
        if key not in self._leads:
            self._leads[key] = self._above(block)
        return self._leads[key]

    def _above(self, block: Block) -> list[Block]:
        found: list[Block] = []
        place = self._index[block.start]
        indent, level, lead = _indent(block), 99, block.kind in ("row", "bullet")
        for other in reversed(self._blocks[max(0, place - BACK) : place]):
            if other.kind == "row" and other.table == block.table:
                continue
            if other.kind == "heading":
                if other.level < level:
                    found.append(other)
                    level = other.level
            elif level == 99 and other.kind == "bullet" and (_indent(other) < indent or LEAD.search(other.text)):
                found.append(other)
                indent = _indent(other)
            elif level == 99 and other.kind in ("paragraph", "html") and lead:
                found.append(other)
                lead = False
        return found

    def metric(self, block: Block, unit: str) -> str | None:
        """The metric that the nearest of them names."""
        for other in self.above(block):
            if other.kind != "heading" and block.kind != "row" and not LEAD.search(other.text):
                continue
            if found := self._metrics.first(other.text[-240:], unit):
                return found
        return None


def _indent(block: Block) -> int:
    return len(block.text) - len(block.text.lstrip())
