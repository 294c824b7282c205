"""The tables, and an engine that begins as each database needs it.

The log, its counter, the claims and `info` are kept; the other tables are made from them and from the mirror.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa

from verifier.errors import LedgerError

PATIENCE = 30.0  # seconds to wait for another writer
META = sa.MetaData()
INFO = sa.Table("info", META, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.String, nullable=False))
COUNTER = sa.Table("counter", META, sa.Column("series", sa.String, primary_key=True), sa.Column("last", sa.Integer, nullable=False))
EVENTS = sa.Table(
    "events", META, sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True), sa.Column("id", sa.String, unique=True, nullable=False),
    sa.Column("number", sa.String, index=True, nullable=False), sa.Column("op_id", sa.String), sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
# An operation's name is unique; a partial index, because most events have none and each index costs every write.
OPERATIONS = "CREATE UNIQUE INDEX IF NOT EXISTS operations ON events (op_id) WHERE op_id IS NOT NULL"
CLAIMS = sa.Table(
    "claims", META, sa.Column("document", sa.String, primary_key=True), sa.Column("id", sa.String, primary_key=True),
    sa.Column("key", sa.String, index=True, nullable=False), sa.Column("digest", sa.String, nullable=False), sa.Column("run", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip

# `n` leads the keys because lists go by number; each index costs every write.
RECORDS = sa.Table(
    "records", META, sa.Column("n", sa.Integer, primary_key=True, autoincrement=False), sa.Column("number", sa.String, primary_key=True),
    sa.Column("state", sa.String, index=True, nullable=False), sa.Column("severity", sa.String), sa.Column("owner", sa.String),
    sa.Column("recheck_by", sa.String), sa.Column("opened", sa.String), sa.Column("proposed", sa.String), sa.Column("title", sa.Text, nullable=False),
    sa.Column("sources", sa.Text, nullable=False), sa.Column("topic", sa.Text, nullable=False), sa.Column("body", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip
CAUSES = sa.Table(
    "causes", META, sa.Column("cause", sa.String, primary_key=True), sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.String, primary_key=True), sqlite_with_rowid=False,
)  # fmt: skip
DISMISSED = sa.Table("dismissed", META, sa.Column("fingerprint", sa.String, primary_key=True), sa.Column("number", sa.String, primary_key=True))
ANCHORS = sa.Table("anchors", META, sa.Column("document", sa.String, primary_key=True), sa.Column("event", sa.String, primary_key=True))
# What each mirror is known to hold: all events up to `seq`, and files as they were when they were last read or written.
MIRRORS = sa.Table("mirrors", META, sa.Column("place", sa.String, primary_key=True), sa.Column("seq", sa.Integer, nullable=False))
STAMPS = sa.Table(
    "stamps", META, sa.Column("place", sa.String, primary_key=True), sa.Column("name", sa.String, primary_key=True),
    sa.Column("size", sa.BigInteger, nullable=False), sa.Column("mtime_ns", sa.BigInteger, nullable=False),
)  # fmt: skip
FOLDS = (RECORDS, CAUSES, DISMISSED, ANCHORS)


def engine(root: Path, url: str | None) -> sa.Engine:
    """SQLite under `root` unless the URL names another place."""
    if url is None or url.startswith("sqlite:///"):
        path = root / (url.removeprefix("sqlite:///") if url else "claims/ledger.db")
        path.parent.mkdir(parents=True, exist_ok=True)
        made = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": PATIENCE})
        # pysqlite begins late and deferred, which fails under several writers: writers begin at once instead
        sa.event.listen(made, "connect", _connected)
        sa.event.listen(made, "begin", _begun)
        return made
    try:
        return sa.create_engine(url, pool_pre_ping=True)
    except (sa.exc.ArgumentError, ValueError):
        raise LedgerError("ledger_url or VERIFY_LEDGER is no address of a database; such as postgresql+psycopg://USER@HOST/DATABASE") from None


def _begun(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.connection.cursor().execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def _connected(connection: Any, _: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")


def put(db: sa.Connection, table: sa.Table, rows: dict[str, Any] | Sequence[dict[str, Any]]) -> None:
    """Insert rows; where the key is there already, the new values replace the old."""
    if rows:
        db.execute(_upsert(db.dialect.name, table), rows)


@cache
def _upsert(dialect: str, table: sa.Table) -> sa.Insert:
    statement = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)  # loading both costs as much as all the rest
    values = {c.name: statement.excluded[c.name] for c in table.columns if not c.primary_key}
    keys = list(table.primary_key)
    if values:
        statement = statement.on_conflict_do_update(index_elements=keys, set_=values)
    else:
        statement = statement.on_conflict_do_nothing(index_elements=keys)
    return cast(sa.Insert, statement)
