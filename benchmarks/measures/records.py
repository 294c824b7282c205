"""Commands over a ledger of many records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._ledgers import with_records
from benchmarks._measure import Figure, versus, wall
from benchmarks._processes import VERIFY, run, worked
from verifier.ledger import Ledger

TITLE = "Commands over many records"
ABOUT = "Whole processes, processor time, over a ledger of so many open records, against the same command over a ledger of a hundredth of them."


def measure(quick: bool) -> Iterator[Figure]:
    many = 10_000 if quick else 100_000
    with TemporaryDirectory() as scratch:
        large, small = (with_records(Path(scratch) / str(n), n) for n in (many, many // 100))
        for words in (("d", "list"), ("d", "list", "--format", "json"), ("report", "--as-of", "2026-10-04"), ("ledger", "check")):
            command = (*VERIFY, *words)
            seen = run(command, large, watch=True)
            yield versus(f"`{' '.join(words[:2])}{' --format json' if 'json' in words else ''}` over {many:,}", worked(command, large), f"over {many // 100:,}",
                         worked(command, small), 3 if quick else 5, more={"on the clock, s": round(seen.seconds, 2), "peak MB": round(seen.peak)})  # fmt: skip
            if quick:
                return
        yield versus(
            f"open a ledger of {many:,}", wall(lambda: Ledger.open(large).close()), f"of {many // 100:,}", wall(lambda: Ledger.open(small).close())
        )
