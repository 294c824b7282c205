"""A new briefing against stored claims: a million must cost at most twice what a thousand do. Prints one JSON object.

python benchmarks/candidates.py [--small]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import verifier
from verifier.compare import Index, decide, keys
from verifier.models import Claim

BRIEFING = Path(__file__).parents[1] / "examples" / "briefing.md"
FEW, MANY, LIMIT = 1_000, 1_000_000, 2.0


def filled(claims: list[Claim], count: int) -> Index[Claim]:
    """An index of `count` stored claims: those of the briefing with other values, and others about other things."""
    index: Index[Claim] = Index()
    known = [(keys(claim), claim) for claim in claims]
    for number in range(count):
        own, claim = known[number % len(known)]
        index.put(own if number % 100 == 0 else (f"{number:024x}",), (float(number),), claim)
    return index


def took(index: Index[Claim], text: str) -> float:
    """Seconds to read the claims of a briefing and to hold each against its candidates, the best of seven runs."""
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for claim in verifier.extract(text):
            for other in index.candidates(claim):
                decide(claim, other)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> int:
    many = 100_000 if "--small" in sys.argv else MANY
    text = BRIEFING.read_text(encoding="utf-8")
    claims = verifier.extract(text)
    one, other = (took(filled(claims, count), text) for count in (FEW, many))
    reached = other <= LIMIT * one
    print(json.dumps({"candidates": {"claims": len(claims), "stored": [FEW, many], "ms": [round(1e3 * t, 1) for t in (one, other)],
                                     "ratio": round(other / one, 2), "at most": LIMIT, "reached": reached}}))  # fmt: skip
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
