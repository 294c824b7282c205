"""Claims from a text, beside the least that any reader of numbers must do."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import verifier
from benchmarks._measure import Figure, cpu, versus
from benchmarks._texts import documents, text
from benchmarks.peers.floor import NUMBER

TITLE = "Extraction beside the floor"
ABOUT = (
    "The floor is one pass of `re` over the same text with a pattern for bare numbers; it binds nothing. "
    "Processor time of one core, without the start of the process."
)


def measure(quick: bool) -> Iterator[Figure]:
    size = 50_000 if quick else 1_000_000
    whole = text(size)
    yield _beside_floor(f"one text of {size // 1000} KB", [whole], 3 if quick else 5)
    if not quick:
        yield _beside_floor("400 briefings", documents(400), 5)
    small = text(size // 4)
    yield versus(f"{size // 1000} KB", cpu(lambda: verifier.extract(whole)), "a quarter of it", cpu(lambda: verifier.extract(small)), 3)


def _beside_floor(name: str, texts: list[str], rounds: int) -> Figure:
    claims = sum(len(verifier.extract(t)) for t in texts)
    size = sum(len(t.encode()) for t in texts)

    def ours() -> None:
        for one in texts:
            verifier.extract(one)

    figure = versus(name, cpu(ours), "one pass of `re`", cpu(lambda: floor(texts), times=10), rounds, at_most=20)
    return replace(figure, more={"claims": claims, "KB/s": round(size / 1000 / figure.seconds)})


def floor(texts: list[str]) -> None:
    """Find every bare number, keep none."""
    for one in texts:
        deque(NUMBER.finditer(one), maxlen=0)
