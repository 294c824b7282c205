"""Records opened one by one, beside rows committed one by one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._ledgers import NOW, OPENED, postgres
from benchmarks._measure import Figure, versus, wall
from verifier.ledger import Ledger
from verifier.ledger import events as history
from verifier.models import to_json

TITLE = "Ledger writes beside bare inserts"
ABOUT = (
    "A record opened (number, event, fold, causes, mirror file) in a transaction of its own, against one row of the event's size committed to a table "
    "of its own in the same database with the same promises to the disk. Time on the clock; each round is a hundred of each, in turns."
)
EACH = 100


def measure(quick: bool) -> Iterator[Figure]:
    rounds = 5 if quick else 50
    with TemporaryDirectory() as folder:
        yield _opens("SQLite", Path(folder), None, rounds)
    try:
        with postgres() as url, TemporaryDirectory() as folder:
            yield _opens("PostgreSQL", Path(folder), url, rounds)
    except ImportError as error:
        yield Figure("PostgreSQL", more={"why not": str(error)})


def _opens(name: str, folder: Path, url: str | None, rounds: int) -> Figure:
    about = {**OPENED, "severity": "low"}
    body = to_json(history.make("D1", "open", now=NOW, actor="jay", after=(), data={**about, "title": "title", "cause": "cause"}))
    numbers = count()
    with Ledger.open(folder, url) as ledger, _committing(folder, url) as insert:

        def record() -> None:
            title = f"title {next(numbers)}"
            ledger.open_record(title=title, cause=title, actor="jay", now=NOW, **about)

        return versus(f"open a record on {name}", wall(record, EACH), "a bare row", wall(lambda: insert(body), EACH), rounds, at_most=5)


@contextmanager
def _committing(folder: Path, url: str | None) -> Iterator[Callable[[str], object]]:
    """A function that commits one row through the bare driver, in the journal mode and with the synchrony that the ledger has."""
    if url is None:
        lite = sqlite3.connect(folder / "bare.db", isolation_level=None)
        lite.execute("PRAGMA journal_mode = WAL")
        lite.execute("CREATE TABLE bare_rows (id INTEGER PRIMARY KEY, body TEXT)")
        yield lambda body: lite.execute("INSERT INTO bare_rows (body) VALUES (?)", (body,))
        lite.close()
        return
    import psycopg

    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as post:
        post.execute("CREATE TABLE bare_rows (id SERIAL PRIMARY KEY, body TEXT)")
        yield lambda body: post.execute("INSERT INTO bare_rows (body) VALUES (%s)", (body,))
