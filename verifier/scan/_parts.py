"""The corpus in parts: what one worker does in one go, and what a resumed scan need not do again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from verifier.scan._inputs import TABLE, File, Table, slices

LEAST, USUAL, MOST = 64, 128, 384  # documents of a part
BYTES = 8 << 20  # a part is full with so much text


@dataclass(frozen=True)
class Job:
    """What all parts have in common. `day` judges documents without a date; `signature` changes with rules, evidence, options."""

    out: str
    root: Path
    as_of: date | None
    day: date
    largest: int
    signature: str
    text: str | None = None
    named: str | None = None


@dataclass(frozen=True)
class Part:
    """Files, or a slice of a table. `id` follows from the names, `signature` also from what is in them."""

    id: str
    signature: str
    files: tuple[File, ...] = ()
    table: Table | None = None
    deadly: tuple[int, ...] = ()  # documents that ended the process which read them


def parts(found: Iterable[File], job: Job) -> Iterator[Part]:
    """Parts as a stream. A part ends where a name says so, so that a file which comes or goes changes its own part alone."""
    batch: list[File] = []
    for file in found:
        if file.name.lower().endswith(TABLE):
            for table in slices(file, job.text, job.named, MOST):
                about = f"{file.name} {table.group} {table.start} {table.stop}"
                yield Part(_digest(about)[:20], _digest(f"{job.signature} {about} {file.size} {file.stamp} {table.text} {table.named}"), table=table)
            continue
        batch.append(file)
        ends = len(batch) >= LEAST and int(_digest(file.name)[:8], 16) % USUAL == 0
        if ends or len(batch) >= MOST or sum(f.size for f in batch) >= BYTES:
            yield _part(batch, job)
            batch = []
    if batch:
        yield _part(batch, job)


def _part(batch: list[File], job: Job) -> Part:
    looks = "\n".join(f"{f.name} {f.size} {f.stamp}" for f in batch)
    return Part(_digest("\n".join(f.name for f in batch))[:20], _digest(f"{job.signature}\n{looks}"), files=tuple(batch))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
