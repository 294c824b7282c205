"""Stretches of a text whose digits are no quantities wherever they stand: addresses, paths, files, sections, markup."""

from __future__ import annotations

import re

Span = tuple[int, int, str]

EXTENSIONS = (
    "md|txt|py|json|jsonl|yaml|yml|toml|csv|png|jpe?g|svg|gif|webp|pdf|html?|engine|cu|cuh|cpp|sh|rs|go|ipynb|safetensors|gguf|lock|log|whl|gz|zip"
)

# each begins with a literal, so that a text without it costs nothing
URL = re.compile(r"://[^\s）)】>\"'，。；」]+")
SCHEME = re.compile(r"[A-Za-z][A-Za-z+.]{1,9}\Z")
FILE = re.compile(rf"\.(?:{EXTENSIONS})(?![A-Za-z0-9_])", re.ASCII)
FILE_SIZE = re.compile(r"[`*]{0,3}\s?[（(]\s?(?:\d\d:\d\d\s?·\s?)?(\d+(?:\.\d+)?\s?[KMG]i?B)(?=\s?[·)）])")
PATH = re.compile(r"/[\w-]{1,80}/[\w./-]{1,200}", re.ASCII)
LINK = re.compile(r"\]\(([^()\s]{1,500})\)")
SECTION = re.compile(r"§\s*(?:[IVXLC]+\s*)?(?:\d[\d.]*(?:\.?\(\d+\))?)")
TAG = re.compile(r"<[A-Za-z][\w-]*\s[^<>=]*=[^<>]*>")
STYLE = re.compile(r"\{\{[^{}\n]{0,400}\}\}|&#x?[0-9A-Fa-f]{1,6};")
INLINE_SIZE = re.compile(r"· (\d+(?:\.\d+)?\s?[KM]B)(?= ·)")
TOKEN = re.compile(r"[\w./-]+", re.ASCII)


def masks(text: str) -> list[Span]:
    """URLs, paths, file names and sizes, sections, markup: spans in order, not overlapping."""
    found: list[Span] = []
    if "://" in text:
        for m in URL.finditer(text):
            scheme = SCHEME.search(text, max(0, m.start() - 10), m.start())
            found.append((scheme.start() if scheme else m.start(), m.end(), "url"))
    if "." in text:
        for m in FILE.finditer(text):
            start = _token_start(text, m.start())
            found.append((start, m.end(), "file"))
            if size := FILE_SIZE.match(text, m.end()):
                found.append((*size.span(1), "file"))
    if "](" in text:
        found.extend((*m.span(1), "url") for m in LINK.finditer(text))
    if "/" in text:
        for m in PATH.finditer(text):
            start = _token_start(text, m.start())
            if m.start() - start >= 2 and text[start].isalpha() and any(c.islower() for c in text[start : m.end()]):
                found.append((start, m.end(), "file"))
    if "§" in text:
        found.extend((*m.span(), "section") for m in SECTION.finditer(text))
    if "<" in text:
        found.extend((*m.span(), "markup") for m in TAG.finditer(text))
    if "{{" in text or "&#" in text:
        found.extend((*m.span(), "markup") for m in STYLE.finditer(text))
    if "· " in text:
        found.extend((*m.span(1), "file") for m in INLINE_SIZE.finditer(text))
    found.sort(key=lambda s: (s[0], -s[1]))
    return found


def _token_start(text: str, place: int) -> int:
    """Where the run of letters, digits and `./-_` that reaches `place` begins, at most 200 back."""
    start, least = place, max(0, place - 200)
    while start > least and ((c := text[start - 1]).isascii() and c.isalnum() or c in "_./-"):
        start -= 1
    return start
