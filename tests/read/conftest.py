"""Reading a text and looking at its blocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.models import Block, Document
from verifier.read import read_text


def checked(document: Document) -> Document:
    """A document whose every block and cell stands where it says."""
    for block in document.blocks:
        assert document.text[block.start : block.end] == block.text
        assert document.place(block.start)[0] == block.line
        assert document.place(max(block.start, block.end - 1))[0] == block.end_line
        for cell in block.cells:
            assert document.text[cell.start : cell.end] == cell.text
    return document


@pytest.fixture
def blocks() -> Callable[[str], list[Block]]:
    return lambda text: list(checked(read_text(text)).blocks)


@pytest.fixture
def rows(blocks) -> Callable[[str], list[Block]]:
    return lambda text: [b for b in blocks(text) if b.kind == "row"]
