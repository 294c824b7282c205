"""A look at a ledger that is in step, without its database's library: what a commit hook has time for.

Only SQLite is looked at, and only where nothing is to be made, mended or caught up; else `look` gives None
and `Ledger.open` is the way.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from verifier.errors import LedgerError
from verifier.ledger import SCHEMA
from verifier.ledger.asking import Brief, asking
from verifier.ledger.mirror import Mirror
from verifier.ledger.numbers import is_run_log
from verifier.ledger.states import fold
from verifier.models import Claim, Discrepancy, Event

NEAREST = 16  # stored claims of one key that are fetched: those of the documents that were named last
# How each file of the mirror looked, a line a file: one text is compared faster than many rows.
LOOKS = "SELECT name || ' ' || size || ' ' || mtime_ns AS line FROM stamps WHERE place = ? ORDER BY name"


class Readable(Protocol):
    """What may be asked of a ledger and of a glance at it alike."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...
    def list(self, **asked: Any) -> list[Discrepancy]: ...
    def brief(self, **asked: Any) -> Sequence[Brief]: ...
    def bodies(self, **asked: Any) -> Sequence[str]: ...
    def get(self, number: str) -> Discrepancy: ...
    def find_claims(self, claims: Sequence[Claim]) -> Sequence[Claim]: ...
    def candidates(self, claims: Sequence[Claim], document: str) -> Sequence[Claim]: ...
    def verified(self, document: str) -> dict[str, dict[str, Any]]: ...
    def dismissed(self) -> set[str]: ...


def claim_key(claim: Claim) -> str:
    """What may be compared at all: subject, metric and unit."""
    return "|".join(str(x or "").lower() for x in (claim.subject, claim.metric, claim.unit))


def telling_keys(claims: Sequence[Claim]) -> list[str]:
    """The keys of claims that say what they are of; others could be held against nothing."""
    return sorted({claim_key(c) for c in claims if c.subject and c.metric})


class Glance:
    """The questions of a reader, answered as `Ledger` answers them."""

    def __init__(self, db: sqlite3.Connection):
        self._db = db

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _bodies(self, query: str, *values: object) -> Iterator[str]:
        return (body for (body,) in self._db.execute(query, values))

    def get(self, number: str) -> Discrepancy:
        """One record with its events; a provisional number that was assigned leads to the number it got."""
        while True:
            events = [Event.model_validate_json(b) for b in self._bodies("SELECT body FROM events WHERE number = ? ORDER BY seq", number)]
            if not events or is_run_log(number):
                raise LedgerError(f"{number}: no such record; `verify d list` shows them")
            target = next((e.data.get("target") for e in events if e.event == "assign"), None)
            if target is None:
                return fold(number, events)
            number = target

    def find_claims(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        keys = sorted({claim_key(c) for c in claims})
        found: list[Claim] = []
        for at in range(0, len(keys), 500):
            some = keys[at : at + 500]
            query = f"SELECT body FROM claims WHERE key IN ({','.join('?' * len(some))})"
            found += map(Claim.model_validate_json, self._bodies(query, *some))
        return found

    def candidates(self, claims: Sequence[Claim], document: str) -> Sequence[Claim]:
        query = "SELECT body FROM claims WHERE key = ? AND document <> ? ORDER BY document DESC LIMIT ?"
        return [Claim.model_validate_json(body) for key in telling_keys(claims) for body in self._bodies(query, key, document, NEAREST)]

    def verified(self, document: str) -> dict[str, dict[str, Any]]:
        return {ident: json.loads(body) for ident, body in self._db.execute("SELECT id, body FROM claims WHERE document = ?", (document,))}

    def dismissed(self) -> set[str]:
        return set(self._bodies("SELECT fingerprint FROM dismissed"))

    def brief(self, **asked: Any) -> Sequence[Brief]:
        return [Brief._make(row) for row in self._db.execute(*asking(Brief._fields, **asked))]

    def bodies(self, **asked: Any) -> Sequence[str]:
        return [body for (body,) in self._db.execute(*asking(("body",), **asked))]

    # Last, because it hides the built-in for annotations below it.
    def list(self, **asked: Any) -> list[Discrepancy]:
        return [Discrepancy.model_validate_json(body) for body in self.bodies(**asked)]


def look(root: Path, url: str | None, series: str) -> Glance | None:
    """A glance at the ledger of a root, or None where it has to be opened. Raises Diverged for two allocators."""
    if url is not None and not url.startswith("sqlite:///"):
        return None
    path, mirror = root / (url.removeprefix("sqlite:///") if url else "claims/ledger.db"), Mirror(root / "claims" / "ledger")
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
    except sqlite3.Error:
        return None
    try:
        mirror.allocator()
        if _in_step(db, mirror, series):
            return Glance(db)
    except sqlite3.Error:
        pass
    except BaseException:
        db.close()
        raise
    db.close()
    return None


def look_or_open(root: Path, url: str | None, series: str) -> Readable:
    """The ledger for a reader: at a glance where it is in step, else opened, which brings it into step."""
    if glance := look(root, url, series):
        return glance
    from verifier.ledger import Ledger

    return Ledger.open(root, url, series)


def _in_step(db: sqlite3.Connection, mirror: Mirror, series: str) -> bool:
    """Whether database and mirror hold the same, as far as sizes and times of change tell."""
    clone = hashlib.sha256("\x1f".join((platform.node(), str(mirror.folder.resolve()))).encode()).hexdigest()[:12]
    info = dict(db.execute("SELECT name, value FROM info"))
    counter = db.execute("SELECT last FROM counter WHERE series = ?", (series,)).fetchone()
    if info.get("schema") != str(SCHEMA) or not info.get("identity") or counter is None:
        return False
    known = db.execute(f"SELECT group_concat(line, char(10)) FROM ({LOOKS})", (clone,)).fetchone()[0] or ""
    now = "\n".join(sorted(f"{name} {size} {time}" for name, (size, time) in mirror.stamps().items()))
    mark = db.execute("SELECT max(seq) FROM mirrors WHERE place = ?", (clone,)).fetchone()[0] or 0
    top = db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0
    return bool(now == known and top <= mark)
