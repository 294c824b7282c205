"""The same stages over a corpus: part by part, on one process, many, or Dask, with one and the same result."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from verifier import __version__
from verifier.lexicon import rules_dir
from verifier.models import Finding
from verifier.pipeline import rule_dirs
from verifier.scan._contradictions import contradict
from verifier.scan._engines import Dask, Engine, Here, Pool
from verifier.scan._inputs import files, place
from verifier.scan._keys import BUCKETS
from verifier.scan._parts import Job, parts
from verifier.scan._store import CONTRADICTIONS, DONE, FINDINGS, TABLES, Store
from verifier.scan._work import work
from verifier.settings import Settings

__all__ = ["Dask", "Here", "Pool", "Summary", "contradictions", "failing", "scan"]

LARGEST = 16 << 20
SHOWN = 100  # failed documents that a summary names; the table `documents` has them all


@dataclass
class Summary:
    """What a scan did. `again`: parts that an earlier scan had done."""

    documents: int = 0
    claims: int = 0
    findings: int = 0
    fails: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    failures: list[dict[str, str]] = field(default_factory=list)
    parts: int = 0
    again: int = 0
    contradictions: int = 0
    undecided: int = 0

    def add(self, done: dict[str, Any]) -> None:
        self.documents += done["documents"]
        self.claims += done["claims"]
        self.findings += done["findings"]
        self.fails = dict(Counter(self.fails) + Counter(done["fails"]))
        self.failed += len(done["failed"])
        self.failures = sorted(self.failures + done["failed"], key=lambda f: str(f["document"]))[:SHOWN]
        self.parts += 1
        self.again += done["again"]


def scan(paths: Sequence[str], out: str, engine: Engine, *, settings: Settings, as_of: date | None = None, largest: int = LARGEST,
         text_column: str | None = None, name_column: str | None = None, step: Callable[[int], None] = lambda documents: None) -> Summary:  # fmt: skip
    """Scan into `out`. Finished parts stay; what is no longer in the corpus leaves. Raises UsageError for a path that is not there."""
    places = [place(path) for path in paths]
    store = Store(out)
    signature = _signature(settings, as_of, largest)
    before = store.get_json("scan") or {}
    today = datetime.now(UTC).date()
    day = date.fromisoformat(before["day"]) if before.get("signature") == signature else today
    store.put_json("scan", {"signature": signature, "day": day.isoformat(), "paths": list(paths)})
    job = Job(store.fs.unstrip_protocol(store.path), settings.root, as_of, day, largest, signature, text_column, name_column)
    outside = [store.path, *([str(settings.root / name) for name in ("claims", "reports")] if settings.found else [])]
    seen: set[str] = set()

    def tasks() -> Iterator[Any]:
        for part in parts(files(places, settings.root, outside), job):
            seen.add(part.id)
            yield part

    summary = Summary()
    for done in engine.map(work, job, tasks()):
        summary.add(done)
        step(summary.documents)
    for gone in set(store.names(DONE)) - seen:
        for kind in (DONE, *TABLES):
            store.drop(kind, gone)
    for bucket in engine.map(contradict, job, range(BUCKETS)):
        summary.contradictions += bucket["fail"]
        summary.undecided += bucket["undecided"]
    return summary


def _signature(settings: Settings, as_of: date | None, largest: int) -> str:
    """Changes with the program, the rules, the lexicon and the stored evidence: then every part is due again."""
    told = hashlib.sha256(f"{__version__} {as_of} {largest}".encode())
    for folder in (*rule_dirs(settings), rules_dir() / "lexicon"):
        for path in sorted(folder.glob("*.yaml")):
            told.update(path.read_bytes())
    evidence = settings.root / "claims" / "evidence"
    for path in sorted(evidence.glob("*.jsonl")) if evidence.is_dir() else ():
        told.update(f"{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}".encode())
    return told.hexdigest()[:20]


def contradictions(out: str) -> Iterator[Finding]:
    """The contradictions that a scan wrote."""
    return _bodies(Store(out), CONTRADICTIONS)


def failing(out: str) -> Iterator[Finding]:
    """The failing findings within documents that a scan wrote, document after document."""
    return (f for f in _bodies(Store(out), FINDINGS) if f.verdict == "fail" and not f.suppressed)


def _bodies(store: Store, kind: str) -> Iterator[Finding]:
    import pyarrow.parquet as pq

    for name in store.names(kind):
        with store.fs.open(store.where(kind, name)) as handle:
            bodies = pq.read_table(handle, columns=["body"])["body"].to_pylist()
        yield from (Finding.model_validate_json(body) for body in bodies)
