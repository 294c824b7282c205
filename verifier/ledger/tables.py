"""The tables, and an engine that begins as each database needs it.

The log, its counter, the claims and `info` are kept; the other tables are made from them and from the mirror.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

PATIENCE = 30.0  # seconds to wait for another writer
META = sa.MetaData()
INFO = sa.Table("info", META, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.String, nullable=False))
COUNTER = sa.Table("counter", META, sa.Column("series", sa.String, primary_key=True), sa.Column("last", sa.Integer, nullable=False))
EVENTS = sa.Table(
    "events", META, sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True), sa.Column("id", sa.String, unique=True, nullable=False),
    sa.Column("number", sa.String, index=True, nullable=False), sa.Column("op_id", sa.String, unique=True), sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
CLAIMS = sa.Table(
    "claims", META, sa.Column("document", sa.String, primary_key=True), sa.Column("id", sa.String, primary_key=True),
    sa.Column("key", sa.String, index=True, nullable=False), sa.Column("digest", sa.String, nullable=False), sa.Column("run", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip

RECORDS = sa.Table(
    "records", META, sa.Column("number", sa.String, primary_key=True), sa.Column("n", sa.Integer, index=True, nullable=False),
    sa.Column("state", sa.String, index=True, nullable=False), sa.Column("severity", sa.String), sa.Column("owner", sa.String),
    sa.Column("recheck_by", sa.String), sa.Column("proposed", sa.String), sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
CAUSES = sa.Table("causes", META, sa.Column("cause", sa.String, primary_key=True), sa.Column("number", sa.String, primary_key=True))
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
        sa.event.listen(made, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE" if c.get_execution_options().get("writes") else "BEGIN"))
        return made
    return sa.create_engine(url, pool_pre_ping=True)


def _connected(connection: Any, _: object) -> None:
    connection.isolation_level = None
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")


def put(db: sa.Connection, table: sa.Table, rows: dict[str, Any] | Sequence[dict[str, Any]]) -> None:
    """Insert rows; where the key is there already, the new values replace the old."""
    if rows:
        db.execute(_upsert(db.dialect.name, table), rows)


@cache
def _upsert(dialect: str, table: sa.Table) -> sa.Insert:
    statement: postgresql.Insert | sqlite.Insert = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    values = {c.name: statement.excluded[c.name] for c in table.columns if not c.primary_key}
    keys = list(table.primary_key)
    if values:
        return statement.on_conflict_do_update(index_elements=keys, set_=values)
    return statement.on_conflict_do_nothing(index_elements=keys)
