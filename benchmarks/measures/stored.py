"""A new briefing beside what is stored already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import verifier
from benchmarks._ledgers import NOW, claim, with_claims
from benchmarks._measure import Figure, cpu, versus, wall
from benchmarks._processes import ROOT
from verifier.compare import Index, decide, keys
from verifier.ledger import Ledger
from verifier.models import Claim

TITLE = "A new briefing beside stored claims"
ABOUT = (
    "Compare: the claims of the example's briefing are read and each is held against its candidates in an index; one stored claim in a hundred is about "
    "the same thing as one of the briefing, with another value; processor time. Open, run: what opening a ledger, and recording a run of 150 claims, "
    "costs beside so many claims in its database; time on the clock."
)
FEW = 1_000


def measure(quick: bool) -> Iterator[Figure]:
    text = (ROOT / "examples" / "briefing.md").read_text(encoding="utf-8")
    claims = verifier.extract(text)
    few = filled(claims, FEW)
    for count in (100_000,) if quick else (10_000, 100_000, 1_000_000):
        many = filled(claims, count)
        yield versus(
            f"compare beside {count:,}", cpu(partial(compare, text, many), 3), f"beside {FEW:,}", cpu(partial(compare, text, few), 3), at_most=2
        )
        del many
    yield from _ledgers(50_000 if quick else 1_000_000)


def filled(claims: list[Claim], count: int) -> Index[Claim]:
    """An index of `count` stored claims: those of the briefing with other values, and others about other things."""
    index: Index[Claim] = Index()
    known = [(keys(claim), claim) for claim in claims]
    for number in range(count):
        own, one = known[number % len(known)]
        index.put(own if number % 100 == 0 else (f"{number:024x}",), (float(number),), one)
    return index


def compare(text: str, index: Index[Claim]) -> None:
    """Read a briefing and hold each claim against its candidates."""
    for one in verifier.extract(text):
        for other in index.candidates(one):
            decide(one, other)


def _ledgers(count: int) -> Iterator[Figure]:
    with TemporaryDirectory() as scratch:
        few, many = (with_claims(Path(scratch) / str(n), n) for n in (FEW, count))
        works: dict[str, Callable[[Path], None]] = {"open a ledger": _open, "record a run": _run}
        for name, work in works.items():
            yield versus(f"{name} beside {count:,}", wall(partial(work, many)), f"beside {FEW:,}", wall(partial(work, few)), 15, at_most=2)


def _open(root: Path) -> None:
    Ledger.open(root).close()


def _run(root: Path) -> None:
    made = [claim(n, "new.md") for n in range(150)]
    with Ledger.open(root) as ledger:
        ledger.record_run([], "new.md", run="r", actor="jay", now=NOW, recheck_by="2026-10-28", claims=made)
        ledger.remember_claims("new.md", "d", made, "r")
