"""The ledger beside bare rows, over many records, beside many claims. Prints one JSON object.

    python benchmarks/ledger.py [--small]

Each figure is a ratio or a difference taken in one run on one machine; `reached` says whether it is what is asked for.
"""

from __future__ import annotations

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verifier.ledger import Ledger
from verifier.ledger import events as history
from verifier.ledger.states import fold
from verifier.ledger.tables import CLAIMS, EVENTS, RECORDS, put
from verifier.ledger.transaction import row_of
from verifier.models import Claim, to_json

NOW = datetime(2026, 9, 28, 10, tzinfo=UTC)
OPENED = {"severity": "low", "recheck_by": "2026-10-28", "documents": ["b.md"], "kind": "manual"}


def took(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def opens(folder: Path, count: int) -> dict[str, Any]:
    """Records opened one by one, and rows of the same size committed one by one, in turns, on one disk in one mode."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)")
    spent = {"bare": 0.0, "ledger": 0.0}
    with Ledger.open(folder) as ledger:
        body = to_json(history.make("D1", "open", now=NOW, actor="jay", after=(), data={**OPENED, "title": "title", "cause": "cause"}))
        with ledger._reading() as db:
            mode = db.exec_driver_sql("PRAGMA synchronous").scalar()
        assert mode == bare.execute("PRAGMA synchronous").fetchone()[0]

        def insert() -> None:
            bare.execute("BEGIN IMMEDIATE")
            bare.execute("INSERT INTO rows (body) VALUES (?)", (body,))
            bare.execute("COMMIT")

        for turn in range(count // 100):
            spent["bare"] += took(lambda: [insert() for _ in range(100)])
            names = [f"title {turn} {n}" for n in range(100)]
            spent["ledger"] += took(lambda names=names: [ledger.open_record(title=t, cause=t, actor="jay", now=NOW, **OPENED) for t in names])
    ratio = spent["ledger"] / spent["bare"]
    return {"opens": count, "ms_each": round(1000 * spent["ledger"] / count, 3), "bare_ms_each": round(1000 * spent["bare"] / count, 3),
            "ratio": round(ratio, 2), "asked": 5, "reached": ratio <= 5}  # fmt: skip


def lists(folder: Path, count: int) -> dict[str, Any]:
    """`d list` over many records: the whole process, and the part that asks the ledger."""
    (folder / "verify.toml").write_text("")
    with Ledger.open(folder) as ledger:
        made = [history.make(f"D{n}", "open", now=NOW, actor="jay", after=(), data={**OPENED, "title": f"title {n}"}) for n in range(1, count + 1)]
        rows = [{"id": e.id, "number": e.number, "op_id": None, "body": to_json(e)} for e in made]
        with ledger._writing() as writing:
            writing.db.execute(EVENTS.insert(), rows)
            put(writing.db, RECORDS, [row_of(fold(e.number, [e])) for e in made])
    first = took(lambda: Ledger.open(folder).close())
    time.sleep(0.2)
    command = [sys.executable, "-m", "verifier", "d", "list"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}

    def listed() -> float:
        return took(lambda: subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True))

    listed()  # the first start remembers how the mirror's files look
    process = statistics.median(listed() for _ in range(5))
    with Ledger.open(folder) as ledger:
        asked = statistics.median(took(ledger.list) for _ in range(3))
    opening = statistics.median(took(lambda: Ledger.open(folder).close()) for _ in range(3))
    return {"records": count, "process_s": round(process, 3), "asking_s": round(asked, 3), "opening_s": round(opening, 3),
            "first_mirror_s": round(first, 1), "asked": 1.0, "reached": process <= 1.0}  # fmt: skip


def claims(folder: Path, count: int) -> dict[str, Any]:
    """What a run asks of the ledger, beside many stored claims and beside few."""

    def claim(n: int, document: str) -> Claim:
        return Claim(id=f"c{n}", document=document, line=n, end_line=n, column=1, start=0, end=4, text=f"{n}%", form="value", value=n, unit="percent",
                     subject=f"s{n % 5000}", metric="utilization")  # fmt: skip

    def fill(root: Path, number: int) -> None:
        from verifier.ledger.reading import claim_key

        with Ledger.open(root) as ledger:
            for at in range(0, number, 50_000):
                made = [claim(n, f"{n // 150}.md") for n in range(at, min(number, at + 50_000))]
                rows = [{"document": c.document, "id": c.id, "key": claim_key(c), "digest": "d", "run": "r", "body": to_json(c)} for c in made]
                with ledger._writing() as writing:
                    writing.db.execute(CLAIMS.insert(), rows)

    def opened(root: Path) -> None:
        Ledger.open(root).close()

    def run(root: Path) -> None:
        with Ledger.open(root) as ledger:
            ledger.record_run([], "new.md", run="r", actor="jay", now=NOW, recheck_by="2026-10-28", claims=new)
            ledger.remember_claims("new.md", "d", new, "r")

    new = [claim(n, "new.md") for n in range(150)]
    few, many = folder / "few", folder / "many"
    fill(few, 1000)
    fill(many, count)
    times = {
        name: [statistics.median(took(lambda r=r, w=w: w(r)) for _ in range(9)) for r in (few, many)] for name, w in (("open", opened), ("run", run))
    }
    added = {name: round(1000 * (b - a), 1) for name, (a, b) in times.items()}
    return {"claims": count, "opening_adds_ms": added["open"], "run_adds_ms": added["run"], "asked": 50, "reached": max(added.values()) <= 50}


def main() -> None:
    scale = 20 if "--small" in sys.argv[1:] else 1
    found = {}
    for work, count in ((opens, 10_000), (lists, 100_000), (claims, 1_000_000)):
        with tempfile.TemporaryDirectory() as folder:
            found[work.__name__] = work(Path(folder), count // scale)
    print(json.dumps({"ledger": found}, indent=2))


if __name__ == "__main__":
    main()
