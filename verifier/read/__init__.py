"""STAGE file -> Document: blocks with exact positions, and the briefing's fields."""

from __future__ import annotations

from verifier.models import Document
from verifier.read._blocks import blocks
from verifier.read._decode import decode
from verifier.read._structure import ARXIV, structure

__all__ = ["ARXIV", "decode", "read", "read_text"]


def read(data: bytes, path: str) -> Document:
    """Decode and read a file. Raises UsageError for an empty or binary one; broken text is read with a warning."""
    text, warnings = decode(data, path)
    return read_text(text, path, warnings)


def read_text(text: str, path: str = "<text>", warnings: tuple[str, ...] = ()) -> Document:
    """Read a text; every block's `text` is `text[start:end]`."""
    found = blocks(text)
    return Document(path=path, text=text, blocks=tuple(found), structure=structure(text, path), warnings=warnings)
