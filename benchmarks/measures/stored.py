"""A new briefing beside what is stored already."""

from __future__ import annotations

from collections.abc import Iterator

import verifier
from benchmarks._measure import Figure, cpu, versus
from benchmarks._processes import ROOT
from verifier.compare import Index, decide, keys
from verifier.models import Claim

TITLE = "Comparison with stored claims"
ABOUT = (
    "The claims of the example's briefing are read and each is held against its candidates; one stored claim in a hundred is about the same thing "
    "as one of the briefing, with another value. Processor time of one core."
)
FEW = 1_000


def measure(quick: bool) -> Iterator[Figure]:
    text = (ROOT / "examples" / "briefing.md").read_text(encoding="utf-8")
    claims = verifier.extract(text)
    few = filled(claims, FEW)
    for count in (100_000,) if quick else (10_000, 100_000, 1_000_000):
        many = filled(claims, count)
        yield versus(
            f"beside {count:,} claims",
            cpu(lambda many=many: compare(text, many), 3),
            f"beside {FEW:,}",
            cpu(lambda: compare(text, few), 3),
            7,
            at_most=2,
        )


def filled(claims: list[Claim], count: int) -> Index[Claim]:
    """An index of `count` stored claims: those of the briefing with other values, and others about other things."""
    index: Index[Claim] = Index()
    known = [(keys(claim), claim) for claim in claims]
    for number in range(count):
        own, claim = known[number % len(known)]
        index.put(own if number % 100 == 0 else (f"{number:024x}",), (float(number),), claim)
    return index


def compare(text: str, index: Index[Claim]) -> int:
    """Read a briefing and hold each claim against its candidates; how many were decided."""
    return sum(1 for claim in verifier.extract(text) for other in index.candidates(claim) if decide(claim, other))
