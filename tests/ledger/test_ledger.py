"""Numbers, transitions and the mirror, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime

import pytest

from verifier.errors import Diverged, LedgerError
from verifier.ledger import Ledger
from verifier.models import Carried, Declared, Finding, Location

NOW = datetime(2026, 9, 28, 10, tzinfo=UTC)


def finding(cause, text="4.15×"):
    return Finding(
        rule="R1", rule_version="1", kind="derived", verdict="fail", severity="high", locations=(Location(document="b.md", line=1, end_line=1, text=text),),
        message=cause, message_zh=cause, cause=cause, fingerprint=cause,
    )  # fmt: skip


def record(ledger, causes, run="r1", **more):
    return ledger.record_run([finding(c) for c in causes], "b.md", run=run, actor="jay", now=NOW, recheck_by="2026-10-28", **more)


def test_one_cause_is_one_record_and_a_second_run_opens_none(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        assert [(r.number, r.what) for r in record(ledger, ["a", "b", "a"])] == [("D1", "opened"), ("D2", "opened")]
        assert {r.what for r in record(ledger, ["a", "b"])} == {"seen_again"}
        assert len(ledger.get("D1").events) == 1
        record(ledger, ["a"], run="r2")
        assert [e.event for e in ledger.get("D1").events] == ["open", "seen_again"]


def test_declared_numbers_are_adopted_carried_and_never_renumbered(tmp_path, url):
    declared = [Declared(number=7, title="hit rate", line=1, end_line=1)]
    carried = [Carried(first=1, last=6, line=2, text="D1-D6")]
    with Ledger.open(tmp_path, url) as ledger:
        assert record(ledger, [], declared=declared, carried=carried)[0].what == "imported"
        assert ledger.get("D3").state == "unknown"
        assert record(ledger, ["a"], run="r2", declared=declared)[1].number == "D8"
        clash = [Declared(number=7, title="something else", line=1, end_line=1)]
        assert record(ledger, [], run="r3", declared=clash)[0].what == "conflict"


def test_refusals_name_the_missing_field_or_the_allowed_moves(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["a"])
        with pytest.raises(LedgerError, match="needs resolution, reason, evidence"):
            ledger.transition("D1", "resolve", actor="jay", now=NOW)
        with pytest.raises(LedgerError, match="allowed: take, wait, resolve, void"):
            ledger.transition("D1", "return", actor="jay", now=NOW, reason="x")
        with pytest.raises(LedgerError, match="not_comparable needs condition"):
            ledger.transition("D1", "resolve", actor="jay", now=NOW, reason="x", resolution="not_comparable", evidence="u")
        done = ledger.transition("D1", "resolve", actor="jay", now=NOW, reason="x", resolution="confirmed", evidence="u")
        assert (done.state, done.resolution) == ("resolved", "confirmed")
        assert ledger.transition("D1", "reopen", actor="jay", now=NOW, reason="new figures", evidence="v").state == "open"


def test_an_operation_repeated_is_done_once(tmp_path, url):
    with Ledger.open(tmp_path, url) as ledger:
        record(ledger, ["a"])
        for _ in range(2):
            ledger.transition("D1", "comment", actor="jay", now=NOW, reason="hm", op_id="op1")
        assert len(ledger.get("D1").events) == 2


def test_the_mirror_restores_a_lost_database(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a", "b"])
        before = ledger.records()
    (tmp_path / "claims" / "ledger.db").unlink()
    with Ledger.open(tmp_path) as ledger:
        assert ledger.records() == before
        assert {r.what for r in record(ledger, ["a", "b"], run="r2")} == {"seen_again"}


def test_a_torn_or_lost_mirror_line_is_mended(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
    path = tmp_path / "claims" / "ledger" / "D0001.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with Ledger.open(tmp_path):
        pass
    assert path.read_bytes() == whole
    shutil.rmtree(path.parent)
    with Ledger.open(tmp_path):
        pass
    assert path.read_bytes() == whole


def test_a_changed_event_blocks(tmp_path):
    with Ledger.open(tmp_path) as ledger:
        record(ledger, ["a"])
    path = tmp_path / "claims" / "ledger" / "D0001.jsonl"
    path.write_text(path.read_text().replace('"jay"', '"tom"'))
    with pytest.raises(Diverged, match="was changed"):
        Ledger.open(tmp_path)


def test_a_newer_ledger_is_refused(tmp_path):
    import sqlite3

    with Ledger.open(tmp_path):
        pass
    db = sqlite3.connect(tmp_path / "claims" / "ledger.db")
    db.execute("UPDATE info SET value = '99'")
    db.commit()
    db.close()
    with pytest.raises(LedgerError, match="newer verify"):
        Ledger.open(tmp_path)


def test_an_entry_that_only_quotes_the_number_does_not_swallow_another_fault(tmp_path, url):
    entry = Declared(number=7, title="Does the 4.15× hold for other workloads?", line=1, end_line=1)
    with Ledger.open(tmp_path, url) as ledger:
        assert [(r.number, r.what) for r in record(ledger, ["a"], declared=[entry])] == [("D7", "imported"), ("D8", "opened")]
        assert ledger.get("D7").kind == "manual"


def test_an_entry_about_the_same_fault_carries_it(tmp_path, url):
    entry = Declared(number=7, title="4.15× does not follow from its operands", line=1, end_line=1)
    with Ledger.open(tmp_path, url) as ledger:
        assert [r.number for r in record(ledger, ["a"], declared=[entry])] == ["D7"]
