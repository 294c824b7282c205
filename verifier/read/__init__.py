"""STAGE file -> Document: blocks with exact positions, and the briefing's fields."""

from __future__ import annotations

from verifier.errors import UsageError
from verifier.models import Document
from verifier.read._blocks import blocks
from verifier.read._structure import ARXIV, structure

__all__ = ["ARXIV", "read", "read_text"]

MAGIC = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip file",
}


def read(data: bytes, path: str) -> Document:
    """Decode and read a file. Raises UsageError for an empty or binary one; broken text is read with a warning."""
    for magic, name in MAGIC.items():
        if data.startswith(magic):
            raise UsageError(f"{path}: is {name}, not text; give its text")
    if not data.strip():
        raise UsageError(f"{path}: is empty; nothing to verify")
    warnings = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        text = data.decode("utf-8-sig", errors="replace")
        if b"\x00" in data:
            text = text.replace("\x00", "\ufffd")
            warnings.append(f"{path}: NUL bytes were read as U+FFFD")
        if "\ufffd" in text and not warnings:
            warnings.append(f"{path}: not valid UTF-8; broken bytes were read as U+FFFD")
    return read_text(text.replace("\r\n", "\n").replace("\r", "\n"), path, tuple(warnings))


def read_text(text: str, path: str = "<text>", warnings: tuple[str, ...] = ()) -> Document:
    """Read a text; every block's `text` is `text[start:end]`."""
    found = blocks(text)
    return Document(path=path, text=text, blocks=tuple(found), structure=structure(text, path), warnings=warnings)
