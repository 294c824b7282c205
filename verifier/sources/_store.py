"""Evidence: append-only JSONL, one file a citation, one look a line; nothing is ever replaced."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote

from pydantic import ValidationError

from verifier.models import Look, to_json
from verifier.sources._day import project


def file_name(citation: str) -> str:
    """`github:owner/name@v1` -> `github_owner_name_v1.jsonl`."""
    return quote(re.sub(r"[:/@]", "_", citation), safe="+")[:200] + ".jsonl"


def when(text: str) -> datetime:
    """A time as written in a look, in UTC."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class EvidenceStore:
    """Looks at citations, under `root`/claims/evidence/."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "claims" / "evidence"

    def looks(self, citation: str) -> tuple[Look, ...]:
        """All looks in the order of their time; a torn line (a killed writer's) is passed over."""
        try:
            lines = (self.folder / file_name(citation)).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ()
        found = []
        for line in lines:
            try:
                look = Look.model_validate_json(line)
                found.append((when(look.fetched_at), look))
            except (ValidationError, ValueError):
                continue
        return tuple(look for _, look in sorted(found, key=lambda pair: pair[0]) if look.citation == citation)

    def append(self, look: Look) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / file_name(look.citation)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, (("\n" if torn else "") + to_json(look) + "\n").encode())
        finally:
            os.close(handle)

    def as_of(self, citations: Iterable[str], day: date) -> dict[str, tuple[Look, ...]]:
        """Every look, whenever it was made, as it would have been on `day`; an empty tuple means never looked up."""
        return {c: tuple(project(look, day) for look in self.looks(c)) for c in citations}


def latest(looks: Iterable[Look]) -> Look | None:
    """What judgement rests on: the newest found look, else the newest that the source answered, else the newest."""
    known = list(looks)
    for wanted in ("found", "absent", "failed"):
        for look in reversed(known):
            if look.outcome == wanted:
                return look
    return None
