"""How a ledger reaches its database and its mirror, and what it says when it cannot."""

from __future__ import annotations

import hashlib
import platform
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import sqlalchemy as sa

from verifier.errors import LedgerError
from verifier.ledger.mirror import Mirror
from verifier.ledger.transaction import Writing

# What a database says, and what helps. The first that matches is said.
ADVICE = (
    (r"locked|busy|deadlock|could not serialize", "another process is writing; try again"),
    (r"malformed|not a database|file is encrypted", "move the file away and `verify ledger rebuild` makes it anew from the mirror"),
    (r"disk is full|no space|disk i/o|file too large|diskfull", "nothing of this step was recorded; make room and repeat it"),
    (r"readonly|read-only|unable to open|permission", "the folder must be writable for this"),
    (r"connect|terminat|closed|server|ssl|timeout", "repeat the step once the server answers; what was recorded is not recorded twice"),
)


def digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12]


class Connected:
    """Database and mirror; `identity` tells this database from others, `allocates` whether it hands out numbers."""

    def __init__(self, made: sa.Engine, folder: Path, series: str):
        self._engine, self._mirror, self._series = made, Mirror(folder), series
        self._writer = made.execution_options(writes=True)
        self.identity, self.allocates = "", False
        url = made.url.set(username=None, password=None)
        self._place = digest(platform.node() if made.dialect.name == "sqlite" else "", str(url))
        self._clone = digest(platform.node(), str(folder.resolve()))
        self._own: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            cause = (str(getattr(error, "orig", error)).strip().splitlines() or [str(error)])[0]
            helps = next((advice for pattern, advice in ADVICE if re.search(pattern, cause, re.IGNORECASE)), "check the file or VERIFY_LEDGER")
            raise LedgerError(f"the ledger cannot be used: {cause}; {helps}") from None

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._said(), self._engine.connect() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[Writing]:
        with self._said(), self._writer.begin() as db:
            if db.dialect.name == "postgresql":
                db.execute(sa.text("SELECT pg_advisory_xact_lock(7215)"))
            writing = Writing(db, self._series, self.identity, self.allocates)
            yield writing
        if writing.written:
            self._mirror.append(writing.written)
            self._own.update(writing.seqs)
