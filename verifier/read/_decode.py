"""Bytes -> text: what is no text is refused, what is broken in it is read with a warning."""

from __future__ import annotations

import codecs
import re

from verifier.errors import UsageError

MAGIC = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip file",
}
# The longer marks first: that of UTF-32 begins as that of UTF-16 does.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BROKEN = re.compile("[\ufffd\x00-\x08\x0e-\x1a\x1c-\x1f]")  # also controls that no text holds; ESC colours a terminal's
MOSTLY = 5  # from one broken character in so many it is no text of this encoding


def decode(data: bytes, path: str) -> tuple[str, tuple[str, ...]]:
    """(text with plain line ends, warnings). Raises UsageError for an empty or binary file, or one of another encoding."""
    for magic, name in MAGIC.items():
        if data.startswith(magic):
            raise UsageError(f"{path}: is {name}, not text; give its text")
    if not data.strip():
        raise UsageError(f"{path}: is empty; nothing to verify")
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8-sig")
    text = data.decode(encoding, errors="replace")
    if len(BROKEN.findall(text)) * MOSTLY > len(text):
        if encoding == "utf-8-sig" and _reads(data, "gb18030"):
            raise UsageError(f"{path}: is not UTF-8 but perhaps GB18030; `iconv -f gb18030 -t utf-8` makes it readable")
        raise UsageError(f"{path}: is not UTF-8 text; give its text as UTF-8")
    warnings = []
    if encoding != "utf-8-sig":
        warnings.append(f"{path}: was read as {encoding.upper()}; places count in its text, other tools expect UTF-8")
    if "\x00" in text:
        warnings.append(f"{path}: NUL bytes were read as U+FFFD")
        text = text.replace("\x00", "\ufffd")
    elif "\ufffd" in text:
        warnings.append(f"{path}: not valid {'UTF-8' if encoding == 'utf-8-sig' else encoding.upper()}; broken bytes were read as U+FFFD")
    return text.replace("\r\n", "\n").replace("\r", "\n"), tuple(warnings)


def _reads(data: bytes, encoding: str) -> bool:
    try:
        return not BROKEN.search(data.decode(encoding))
    except UnicodeDecodeError:
        return False
