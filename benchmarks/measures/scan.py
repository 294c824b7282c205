"""A corpus on one process, several, and Dask: throughput, the driver's memory, contradictions found."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks._measure import Figure, of
from benchmarks._processes import VERIFY, run
from benchmarks.corpus import Corpus, write_table
from verifier import pipeline, scan
from verifier.settings import load

TITLE = "Scan of a corpus"
ABOUT = (
    "Whole processes over a Parquet table of briefings that `benchmarks/corpus.py` makes from a seed; time on the clock, start and contradictions across "
    "the corpus included. Planted contradictions have known places; `unplanted` counts what was found elsewhere. The driver's memory is that of the "
    "process that the user starts: the worker too where there is one process."
)
ONE, TWO, DASK = ("--processes", "1"), ("--processes", "2"), ("--workers", "2")


class Scanned(NamedTuple):
    """Seconds of a scan, its documents, the driver's largest memory in MB, and planted contradictions: how many, found, and others."""

    seconds: float
    documents: int
    peak: float
    planted: int
    found: int
    unplanted: int

    @property
    def each(self) -> float:
        return self.seconds / self.documents

    def told(self) -> dict[str, str | int]:
        return {
            "documents/s": round(1 / self.each),
            "driver MB": round(self.peak),
            "planted found": f"{self.found} of {self.planted}",
            "unplanted": self.unplanted,
        }


def measure(quick: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if quick:
            yield _beside_stages(folder, 150)
            return
        yield _beside_stages(folder, 600)
        rounds = [(scanned(folder, 4_000, ONE), scanned(folder, 4_000, TWO), scanned(folder, 4_000, DASK)) for _ in range(2)]
        for at, name in ((1, "2 processes"), (2, "Dask, 2 workers")):
            yield of(f"4,000 briefings on {name}", "on 1 process", [(r[at].seconds, r[0].seconds) for r in rounds], more=rounds[-1][at].told())
        few = scanned(folder, 1_000, TWO)
        for count in (10_000, 100_000):
            many = scanned(folder, count, TWO)
            told = {**many.told(), "driver ×": round(many.peak / few.peak, 2)}
            yield of(f"a document of {count:,}, 2 processes", "of 1,000", [(many.each, few.each)], at_most=1.25, more=told)


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
    return Scanned(done.seconds, json.loads(done.out)["documents"], done.peak, len(wanted), found, len(told) - found)


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
