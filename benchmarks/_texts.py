"""Texts to measure on: the labelled briefings of tests/gold and those that `corpus` makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, islice

from benchmarks._processes import ROOT
from benchmarks.corpus import BINARY, COPY, JUNK, Corpus

GOLD = tuple(ROOT / "tests" / "gold" / name for name in ("zh.txt", "en.md"))
EVERY = 6  # one document in so many is a labelled one, with other figures
LAST_DIGIT = re.compile(r"(?<=\d)\d(?![\d.:：/-])")


def _stream() -> Iterator[str]:
    written = [path.read_text(encoding="utf-8") for path in GOLD]
    made = Corpus(0)
    for n in count():
        if n % EVERY == 0:
            yield LAST_DIGIT.sub(lambda m, n=n: str((int(m[0]) + n // EVERY) % 10), written[n // EVERY % len(written)])
        elif n % BINARY != 91 and n % JUNK != 16 and n % COPY != 9:
            yield made.document(n).data.decode()


def documents(number: int) -> list[str]:
    """So many different briefings of about 2 KB."""
    return list(islice(_stream(), number))


def text(size: int) -> str:
    """One text of about `size` bytes: whole briefings, one after another."""
    parts, held = [], 0
    for part in _stream():
        parts.append(part)
        held += len(part.encode())
        if held >= size:
            break
    return "\n\n".join(parts)
