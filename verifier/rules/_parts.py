"""The parts of a briefing that rest on sources of their own: its increments, and what a further `来源：` line opens."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.models import Block, Claim
from verifier.rules._base import Context

SOURCE = re.compile(r"\s*(?:•\s*)?(?:来源|Sources?)\s*[：:]", re.I)
FIELD = re.compile(r"\s*(?:•\s*)?(?:来源链接|来源|原始来源|URL|arXiv 号|Sources?|Links?)\s*[：:]", re.I)
CHAPTER = re.compile(r"(?:#+\s*)?[一二三四五六七八九十]+、")
MEASURED = frozenset(("percent", "x", "token/s", "token/s/gpu", "request/s", "ms", "s", "GB", "TFLOPS", "GB/s", "TB/s", "parameter"))

SIZES = ("total_parameters", "active_parameters")  # a bare `70B` says which model, not how large one is


class Part(NamedTuple):
    """`head`: its title and the lines that name its sources; `blocks`: all of it."""

    title: str
    line: int
    end_line: int
    head: str
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        return "\n".join(b.text for b in self.blocks)

    def figures(self, context: Context) -> list[Claim]:
        """What was measured in it, outside of tables of open questions."""
        claims = context.claims_within(self.blocks[0].start, self.blocks[-1].end)
        return [c for c in claims if c.unit in MEASURED and c.line not in context.flagged and (c.unit != "parameter" or c.metric in SIZES)]


def parts(context: Context) -> tuple[Part, ...]:
    """In order; none in a document that names no sources in this way."""
    if ("parts",) not in context.memo:
        context.memo["parts",] = tuple(_parts(context))
    return context.memo["parts",]  # type: ignore[return-value]


def _parts(context: Context) -> list[Part]:
    heads = {i.line: i.title for i in context.document.structure.increments}
    found: list[tuple[str, int, list[Block]]] = []
    before: Block | None = None
    sourced = open_ = False
    for block in context.document.blocks:
        if block.line in heads:
            found.append((heads[block.line], block.line, []))
            sourced, open_ = False, True
        elif CHAPTER.match(block.text) or block.kind == "heading" and open_ and not sourced:
            open_ = False
        elif SOURCE.match(block.text):
            if sourced or not open_:
                title = before.text if before is not None and len(before.text) < 120 and not open_ else block.text
                found.append((title, block.line, []))
                open_ = True
            sourced = True
        if open_:
            found[-1][2].append(block)
        before = block
    out = []
    for title, line, blocks in found:
        named = [b.text for b in blocks if FIELD.match(b.text)]
        out.append(Part(title, line, max(b.end_line for b in blocks), "\n".join((title, *named)), tuple(blocks)))
    return out
