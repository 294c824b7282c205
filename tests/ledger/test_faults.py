"""Killed, full, read-only, locked, corrupt, cut off: nothing is lost, nothing doubled, and a sentence says what helps."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from ledger._processes import forked, killed_at
from ledger.conftest import emptied
from ledger.test_ledger import NOW, record
from verifier.errors import LedgerError
from verifier.ledger import Ledger, tables
from verifier.ledger.mirror import Mirror


def work(root, url=None):
    """Three steps that a repetition does not double."""
    with Ledger.open(root, url) as ledger:
        record(ledger, ["a", "b"])
        ledger.transition("D1", "comment", actor="jay", now=NOW, reason="hm", op_id="one")
        ledger.open_record(title="t", severity="low", recheck_by="2026-10-28", documents=["b.md"], op_id="two", actor="jay", now=NOW)


def sound(root, url=None, *, anew=True):
    """Repeat the work and look at all of it; make it `anew` from the mirror as well."""
    work(root, url)
    with Ledger.open(root, url) as ledger:
        assert ledger.check() == []
        before = ledger.records()
        assert [(r.number, [e.event for e in r.events]) for r in before] == [("D1", ["open", "comment"]), ("D2", ["open"]), ("D3", ["open"])]
        if anew:
            assert ledger.rebuild() == [] and ledger.records() == before


def test_killed_at_every_write_point_of_a_new_ledger(tmp_path):
    for point in range(1, 500):
        root = tmp_path / str(point)
        code = killed_at(point, lambda root=root: work(root))
        assert code in (0, -signal.SIGKILL)
        sound(root, anew=point % 8 == 0)
        if code == 0:
            assert point > 40
            return
    raise AssertionError("no end")


def test_killed_at_every_write_point_on_a_server(tmp_path, postgres):
    for point in range(1, 500):
        root, url = tmp_path / str(point), emptied(postgres)
        with Ledger.open(root, url):
            pass
        code = killed_at(point, lambda root=root, url=url: work(root, url))
        assert code in (0, -signal.SIGKILL)
        sound(root, url, anew=point % 8 == 0)
        if code == 0:
            assert point > 20
            return
    raise AssertionError("no end")


@pytest.mark.parametrize("room", [100, 5_000, 30_000, 70_000])
def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path, room):
    def cramped():
        with Ledger.open(tmp_path) as ledger:
            record(ledger, ["a", "b"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            with pytest.raises(LedgerError, match="make room|the next start mends it"):
                for n in range(1000):
                    record(ledger, [f"more {n}"], run=f"more {n}")

    assert forked(cramped) == 0
    with Ledger.open(tmp_path) as ledger:
        assert ledger.check() == []
        numbers = [r.number for r in ledger.records()]
        assert numbers == [f"D{n}" for n in range(1, len(numbers) + 1)]
        assert record(ledger, ["last"], run="last")[0].number == f"D{len(numbers) + 1}"


def test_a_mirror_that_cannot_be_written_is_caught_up_later(tmp_path, monkeypatch):
    with Ledger.open(tmp_path) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(Mirror, "_extend", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
            with pytest.raises(LedgerError, match="recorded, but the mirror .* No space left on device; the next start mends it"):
                record(ledger, ["a"])
        record(ledger, ["b"], run="r2")
    with Ledger.open(tmp_path) as ledger:
        assert ledger.check() == [] and len(ledger.records()) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become a user who may not write")
def test_a_read_only_folder_is_said():
    root = Path(tempfile.mkdtemp())
    try:
        work(root)
        for path in (root, *root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)

        def other():
            os.setgid(65534)
            os.setuid(65534)
            with pytest.raises(LedgerError, match="the folder must be writable|Permission denied"), Ledger.open(root) as ledger:
                record(ledger, ["c"])

        assert forked(other) == 0
        sound(root)
    finally:
        shutil.rmtree(root)


def test_a_locked_database_is_said_and_may_still_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "PATIENCE", 0.1)
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
        other = sqlite3.connect(tmp_path / "claims" / "ledger.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="locked; another process is writing; try again"):
            record(ledger, ["b"], run="r2")
        assert [r.number for r in ledger.list()] == ["D1"]
        other.execute("ROLLBACK")
        assert record(ledger, ["b"], run="r2")[0].number == "D2"
        other.close()


@pytest.mark.parametrize("damage", ["head", "middle", "short"])
def test_a_corrupt_database_is_said_and_the_mirror_restores_it(tmp_path, damage):
    with Ledger.open(tmp_path) as ledger:
        for n in range(20):
            record(ledger, [f"c{n}"], run=f"r{n}")
        before = ledger.records()
        with ledger._engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    path = tmp_path / "claims" / "ledger.db"
    data = bytearray(path.read_bytes())
    if damage == "short":
        del data[len(data) // 2 :]
    else:
        at = 0 if damage == "head" else len(data) // 3
        data[at : at + 8192] = b"\xff" * 8192
    path.write_bytes(data)
    with pytest.raises(LedgerError, match="move the file away and `verify ledger rebuild`"), Ledger.open(tmp_path) as ledger:
        ledger.records()
        record(ledger, ["more"], run="more")
    for file in path.parent.glob("ledger.db*"):
        file.unlink()
    with Ledger.open(tmp_path) as ledger:
        assert ledger.records() == before and ledger.allocates


def test_a_clock_that_goes_back_changes_no_state_and_no_number(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["a"])
        for days, event in enumerate(("take", "return", "take"), 1):
            ledger.transition("D1", event, actor="jay", now=NOW - timedelta(days=days), reason="r")
        ledger.transition("D1", "comment", actor="jay", now=NOW - timedelta(days=9), reason="r")
        before = ledger.records()
        assert before[0].state == "checking"
        assert ledger.rebuild() == [] and ledger.records() == before
        assert record(ledger, ["b"], run="r2")[0].number == "D2"


def _cut(address):
    engine = sa.create_engine(address)
    with engine.connect() as db:
        db.exec_driver_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
    engine.dispose()


def test_a_connection_lost_within_a_transaction_leaves_no_trace(tmp_path, postgres):
    address = emptied(postgres)
    with Ledger.open(tmp_path, address) as ledger:
        record(ledger, ["a"])
        with pytest.raises(LedgerError, match="repeat the step once the server answers"), ledger._writing() as writing:
            writing.next()
            _cut(address)
            writing.next()
        _cut(address)
        assert record(ledger, ["b"], run="r2")[0].number == "D2"
        assert ledger.check() == []


def test_a_server_that_does_not_answer_is_said(tmp_path):
    with pytest.raises(LedgerError, match="once the server answers"):
        Ledger.open(tmp_path, "postgresql+psycopg://nobody@127.0.0.1:1/none")
