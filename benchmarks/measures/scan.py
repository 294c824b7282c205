"""A corpus on one process, several, and Dask: throughput, the driver's memory, contradictions found."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks._measure import Figure, of
from benchmarks._processes import VERIFY, run
from benchmarks.corpus import Corpus, write_table
from verifier import pipeline, scan
from verifier.settings import load

TITLE = "Scan of a corpus"
ABOUT = (
    "Whole processes over a Parquet table of briefings that `benchmarks/corpus.py` makes from a seed, start and contradictions across the corpus "
    "included. The ratio is of processor time, all processes together, so that it tells the throughput of a core; the clock is beside it. "
    "Planted contradictions have known places; `unplanted` counts what was found elsewhere. The driver is the process that the user starts: "
    "the worker too where there is one process."
)
ONE, TWO, DASK = ("--processes", "1"), ("--processes", "2"), ("--workers", "2")


class Scanned(NamedTuple):
    """A scan's documents, its seconds on the clock and of processors, the driver's largest memory in MB; contradictions planted, found, others."""

    documents: int
    seconds: float
    processor: float
    peak: float
    planted: int
    found: int
    unplanted: int

    @property
    def each(self) -> float:
        return self.processor / self.documents

    def told(self) -> dict[str, Any]:
        return {"documents/s of a core": round(1 / self.each), "on the clock, s": round(self.seconds, 1), "driver MB": round(self.peak),
                "planted found": f"{self.found:,} of {self.planted:,}", "unplanted": self.unplanted}  # fmt: skip


def measure(quick: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        yield _beside_stages(folder, 150 if quick else 600)
        if quick:
            return
        rounds = [[scanned(folder, 2_000, how) for how in (ONE, TWO, DASK)] for _ in range(2)]
        for at, name in ((0, "1 process"), (1, "2 processes"), (2, "Dask, 2 workers")):
            yield of(f"2,000 briefings on {name}", "on 1 process", [(r[at].processor, r[0].processor) for r in rounds], more=rounds[-1][at].told())
        few = scanned(folder, 1_000, TWO)
        yield of("a briefing of 1,000, 2 processes", "itself", [(few.each, few.each)], more=few.told())
        for count in (10_000, 100_000):
            many = scanned(folder, count, TWO)
            again = scanned(folder, 1_000, TWO)  # on both sides of it, lest the machine has changed meanwhile
            taken = [(many.each, one.each) for one in (few, again)]
            yield of(f"a briefing of {count:,}, 2 processes", "of 1,000", taken, at_most=1.2, more=many.told())
            few = again


def scanned(folder: Path, documents: int, how: tuple[str, str]) -> Scanned:
    """One scan by the program as a process of its own."""
    table, out = folder / f"{documents}.parquet", folder / "out"
    if not table.exists():
        write_table(Corpus(documents), table)
    shutil.rmtree(out, ignore_errors=True)
    done = run((*VERIFY, "scan", str(table), "--out", str(out), *how, "--format", "json"), folder, watch=True)
    wanted = {frozenset(((p.first, p.figures[0]), (p.second, p.figures[1]))) for made in Corpus(documents) if (p := made.contradicts)}
    told = [frozenset((place.document.rpartition("#")[2], place.text) for place in f.locations) for f in scan.contradictions(str(out))]
    found = sum(any(places >= planted for places in told) for planted in wanted)
    return Scanned(json.loads(done.out)["documents"], done.seconds, done.processor, done.peak, len(wanted), found, len(told) - found)


def _beside_stages(folder: Path, documents: int) -> Figure:
    """What the scan adds to the stages themselves, in one process."""
    made = [document for document in Corpus(documents) if document.facts]
    rules, taken = pipeline.rules(load(folder))[0], []
    for _ in range(3):
        shutil.rmtree(folder / "parts", ignore_errors=True)
        write_table(made, folder / "parts.parquet")
        started = time.process_time()
        scan.scan([str(folder / "parts.parquet")], str(folder / "parts"), scan.Here(), settings=load(folder))
        between = time.process_time()
        for document in made:
            pipeline.judge(rules, document.data, document.name, folder)
        taken.append((between - started, time.process_time() - between))
    return of(f"{len(made)} briefings in one process", "the stages alone", taken[1:])
