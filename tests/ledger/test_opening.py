"""What opening a ledger notices, what it leaves unread, and databases of other programs."""

from __future__ import annotations

import os
import sqlite3
import time

import pytest
import sqlalchemy as sa

from ledger.test_ledger import NOW, record
from verifier.errors import Diverged, LedgerError
from verifier.ledger import Ledger
from verifier.ledger.migrations import SCHEMA
from verifier.ledger.mirror import Mirror


@pytest.fixture
def reads(monkeypatch):
    """The mirror's files that are read, by name."""
    found = []
    read = Mirror._read
    monkeypatch.setattr(Mirror, "_read", lambda self, path: (found.append(path.name), read(self, path))[1])
    return found


def aged(root):
    """Let the mirror's files be older than the doubt about a file just written."""
    for path in (root / "claims" / "ledger").glob("*.jsonl"):
        os.utime(path, ns=(time.time_ns() - 10**9,) * 2)


def opened(root, url=None):
    with Ledger.open(root, url) as ledger:
        return [r.number for r in ledger.list()]


def test_files_that_did_not_change_are_not_read_again(tmp_path, url, reads):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["a", "b", "c"])
    aged(tmp_path)
    opened(tmp_path, url)
    assert reads == ["D0001.jsonl", "D0002.jsonl", "D0003.jsonl"]
    reads.clear()
    opened(tmp_path, url)
    assert reads == []
    path = tmp_path / "claims" / "ledger" / "D0002.jsonl"
    path.write_text(path.read_text().replace('"jay"', '"tom"'))
    with pytest.raises(Diverged, match="was changed"):
        opened(tmp_path, url)
    assert reads == ["D0002.jsonl"]


def test_a_process_that_wrote_much_spares_the_next_one_the_reading(tmp_path, reads):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, [f"c{n}" for n in range(60)])
        time.sleep(0.06)
    assert len(opened(tmp_path)) == 60 and reads == []


def test_a_file_that_went_missing_is_noticed_at_once(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["a"])
    path = tmp_path / "claims" / "ledger" / "D0001.jsonl"
    for _ in range(2):
        whole = path.read_bytes()
        path.unlink()
        opened(tmp_path, url)
        assert path.read_bytes() == whole
        aged(tmp_path)


def test_an_event_that_another_process_left_out_of_the_mirror_is_added(tmp_path, url, monkeypatch):
    with Ledger.open(tmp_path, url) as first, Ledger.open(tmp_path, url) as second:
        with monkeypatch.context() as patch:
            patch.setattr(Mirror, "append", lambda *_: None)
            record(first, ["lost"])
        record(second, [f"c{n}" for n in range(60)], run="r2")
    opened(tmp_path, url)
    assert (tmp_path / "claims" / "ledger" / "D0001.jsonl").exists()


def test_two_clones_of_one_server_each_keep_their_own_mirror(tmp_path, postgres):
    from ledger.conftest import emptied

    address = emptied(postgres)
    with Ledger.open(tmp_path / "a", address) as ledger:
        record(ledger, ["a"])
    with Ledger.open(tmp_path / "b", address) as ledger:
        assert [r.number for r in record(ledger, ["b"], run="r2")] == ["D2"]
    opened(tmp_path / "a", address)
    names = [sorted(p.name for p in (tmp_path / x / "claims" / "ledger").glob("D*")) for x in "ab"]
    assert names == [["D0001.jsonl", "D0002.jsonl"]] * 2


def test_a_database_of_the_first_schema_is_brought_up_to_date(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a", "b"])
        ledger.transition("D1", "take", actor="jay", now=NOW)
        before = ledger.records(), ledger.list()
    bodies = sqlite3.connect(tmp_path / "claims" / "ledger.db").execute("SELECT id, number, body FROM events ORDER BY seq").fetchall()
    for path in (tmp_path / "claims").glob("ledger.db*"):
        path.unlink()
    old = sqlite3.connect(tmp_path / "claims" / "ledger.db")
    old.executescript(
        """
        CREATE TABLE info (name VARCHAR NOT NULL PRIMARY KEY, value VARCHAR NOT NULL);
        CREATE TABLE counter (series VARCHAR NOT NULL PRIMARY KEY, last INTEGER NOT NULL);
        CREATE TABLE events (seq INTEGER NOT NULL PRIMARY KEY, id VARCHAR NOT NULL UNIQUE, number VARCHAR NOT NULL, op_id VARCHAR UNIQUE,
                             body TEXT NOT NULL);
        CREATE INDEX ix_events_number ON events (number);
        CREATE TABLE causes (cause VARCHAR NOT NULL PRIMARY KEY, number VARCHAR NOT NULL);
        CREATE TABLE claims (document VARCHAR NOT NULL, id VARCHAR NOT NULL, "key" VARCHAR NOT NULL, digest VARCHAR NOT NULL, run VARCHAR NOT NULL,
                             body TEXT NOT NULL, PRIMARY KEY (document, id));
        INSERT INTO info VALUES ('schema', '1');
        INSERT INTO counter VALUES ('D', 2);
        """
    )
    old.executemany("INSERT INTO events (id, number, body) VALUES (?, ?, ?)", bodies)
    old.commit()
    old.close()
    with Ledger.open(tmp_path) as ledger:
        assert (ledger.records(), ledger.list()) == before
        assert [(r.number, r.what) for r in record(ledger, ["b", "c"], run="r2")] == [("D2", "seen_again"), ("D3", "opened")]


def test_a_database_of_the_schema_before_is_brought_up_to_date_on_each_database(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["first", "other"])
        before = ledger.records(), ledger.list()
        with ledger._writing() as writing:
            for change in ("ALTER TABLE records DROP COLUMN sources", "ALTER TABLE records DROP COLUMN topic"):
                writing.db.execute(sa.text(change))
            writing.db.execute(sa.text("UPDATE info SET value = '4' WHERE name = 'schema'"))
    with Ledger.open(tmp_path, url) as ledger:
        assert (ledger.records(), ledger.list()) == before
        assert [r.number for r in ledger.brief(topic="FIRST")] == ["D1"]
        assert [(r.number, r.what) for r in record(ledger, ["other", "third"], run="r2")] == [("D2", "seen_again"), ("D3", "opened")]


def test_a_newer_schema_is_refused_by_each_database_and_left_as_it_is(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        with ledger._writing() as writing:
            writing.db.execute(sa.text("UPDATE info SET value = '99' WHERE name = 'schema'"))
        with pytest.raises(LedgerError, match=f"has schema 99, this program knows {SCHEMA}; use a newer verify"):
            Ledger.open(tmp_path, url)
        with ledger._reading() as db:
            assert db.scalar(sa.text("SELECT value FROM info WHERE name = 'schema'")) == "99"


def test_lines_of_a_newer_program_are_kept_as_they_are(tmp_path):
    import json

    from verifier.ledger.events import content_id

    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
    path = tmp_path / "claims" / "ledger" / "D0001.jsonl"
    event = json.loads(path.read_text())
    newer = {**event, "event": "weighed", "parents": [event["id"]], "op_id": None, "data": {}, "signature": "new field"}
    newer["id"] = content_id(json.dumps(newer))
    line = json.dumps(newer, separators=(",", ":")) + "\n"
    with path.open("a") as file:
        file.write(line)
    with Ledger.open(tmp_path) as ledger:
        assert ledger.get("D1").state == "open" and ledger.rebuild() == []
        path.unlink()
    opened(tmp_path)
    assert path.read_text().endswith(line)
